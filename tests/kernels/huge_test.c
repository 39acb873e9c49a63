/* huge_test.c: tests matrices with about 2^31 nonzeros, without memory for all of them.
 *
 * Columns, values and the layout's arrays are mappings of zero pages, of which only the end is
 * filled. Of each step with many chunks only the last ones run: they have indices past 2^31, and
 * own the last rows, which are compared. A method must therefore not let a chunk depend on other
 * chunks of the same step.
 *
 * 64-bit row pointers are tested past 2^31, 32-bit row pointers just below. A machine with 32-bit
 * addresses cannot hold these matrices: there only sizes are tested, around the largest that fit.
 */
#define _GNU_SOURCE              /* MAP_ANONYMOUS, MAP_NORESERVE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/matrices/permutation.h"
#include "suite.h"
#include "trap.h"

enum { GIANTS = 8, SHORT_ROWS = 40, ROWS = GIANTS + SHORT_ROWS, COLS = 64,
       MANY_CHUNKS = 64, LAST_NONZEROS = 1 << 22, MAX_LAST_CHUNKS = 4096 };

typedef struct huge {
    suite *s;
    bench_matrix *tail;          /* the short rows alone */
    void *row_ptr;
    void *col_idx, *val, *array[SPMV_MAX_ARRAYS], *workspace, *scratch;      /* mappings */
    size_t col_bytes, val_bytes;
    void *sizing;                /* scratch of layout_size */
    double x[COLS], y[ROWS];     /* in the module's type */
    spmv_layout layout;
    spmv_status status;
    bool affordable;
} huge;

static void *map_zeros(size_t bytes)
{
    void *mapping = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapping == MAP_FAILED ? NULL : mapping;
}

static void unmap(void *mapping, size_t bytes)
{
    if (mapping)
        munmap(mapping, bytes ? bytes : 1);
}

static void set_offset(const spmv_module *module, void *row_ptr, int64_t row, int64_t value)
{
    if (module->offset_type == SPMV_I32)
        ((int32_t *)row_ptr)[row] = (int32_t)value;
    else
        ((int64_t *)row_ptr)[row] = value;
}

/* Giant rows, then the rows of the tail. */
static void set_row_ptr(huge *h, int64_t nnz)
{
    const spmv_csr *tail = &h->tail->csr;
    const int64_t before = nnz - tail->nnz;

    for (int64_t r = 0; r < GIANTS; r++)
        set_offset(h->s->module, h->row_ptr, r, before / GIANTS * r);
    for (int64_t r = 0; r <= SHORT_ROWS; r++)
        set_offset(h->s->module, h->row_ptr, GIANTS + r, before + bench_csr_offset(tail, r));
    h->layout = (spmv_layout){ .csr = {
        .rows = ROWS, .cols = COLS, .nnz = nnz, .row_ptr = h->row_ptr, .col_idx = h->col_idx,
        .val = h->val, .offset_type = h->s->module->offset_type,
        .value_type = h->s->module->value_type } };
    memcpy(h->layout.setting, h->s->setting, sizeof h->layout.setting);
}

static void call_layout_size(void *context)
{
    huge *h = context;
    h->layout.scratch = h->sizing;
    h->status = h->s->module->ops->layout_size(&h->layout);
    h->layout.scratch = NULL;
}

/* The bytes of the layout with nnz nonzeros; negative: layout_size failed. */
static double layout_bytes(huge *h, int64_t nnz)
{
    trap_report report;
    double bytes = 0;

    set_row_ptr(h, nnz);
    if (!trap_run(call_layout_size, h, &report) || h->status)
        return -1;
    for (int32_t i = 0; i < h->layout.array_count; i++)
        bytes += (double)h->layout.array[i].bytes;
    return bytes + (double)h->layout.workspace_bytes;
}

/* Sizes must grow linearly with nnz; an overflowing product would break that. A layout that cannot
 * be addressed may be refused with SPMV_OVERFLOW. */
static bool check_sizes(huge *h, int64_t nnz)
{
    const int64_t low = 1 << 20, high = 1 << 21;
    const double at_low = layout_bytes(h, low), at_high = layout_bytes(h, high);
    const double found = layout_bytes(h, nnz);
    const double line = at_low + (at_high - at_low) / (double)(high - low) * (double)(nnz - low);
    const bool refused = h->status == SPMV_OVERFLOW && line > (double)SIZE_MAX;

    if (h->status == SPMV_UNSUPPORTED) {
        h->s->declined[F_31_BITS]++;
        return false;
    }
    return suite_check(h->s, F_31_BITS, at_low >= 0 && at_high >= 0 &&
                       (refused || (found >= 0 && fabs(found - line) <= 0.02 * line + 1e6)),
                       "%lld nonzeros: a layout of %.0f bytes, expected about %.0f, from those of "
                       "%lld and %lld nonzeros", (long long)nnz, found, line, (long long)low,
                       (long long)high);
}

/* Whether the last chunks are a small part of the work. Chunks of 2^27 nonzeros are too large, and
 * a layout may need too much memory for page tables. */
static bool is_affordable(const spmv_job *job, const spmv_step *step, int32_t count)
{
    const spmv_layout *layout = job->layout;
    double bytes = (double)layout->workspace_bytes;
    int64_t grid = 1;

    for (int32_t i = 0; i < count && i < SPMV_MAX_STEPS; i++)
        grid = step[i].grid > grid ? step[i].grid : grid;
    for (int32_t i = 0; i < layout->array_count; i++)
        bytes += (double)layout->array[i].bytes;
    return layout->csr.nnz / grid <= LAST_NONZEROS && bytes <= 24.0 * (double)layout->csr.nnz;
}

/* The first chunk to run: the chunks from it on cover the short rows, but not the giant rows. */
static int64_t first_chunk(int64_t grid, int64_t nnz)
{
    const int64_t wanted = LAST_NONZEROS / (nnz / grid + 1);
    const int64_t last = wanted < 2 ? 2 : wanted > MAX_LAST_CHUNKS ? MAX_LAST_CHUNKS : wanted;

    return grid > MANY_CHUNKS && grid > last ? grid - last : 0;
}

static void run_last_chunks(const spmv_job *job, const spmv_step *step, int32_t count)
{
    for (int32_t i = 0; i < count && i < SPMV_MAX_STEPS; i++)
        if (step[i].grid > 0)
            step[i].run(job, first_chunk(step[i].grid, job->layout->csr.nnz), step[i].grid);
}

static void build_and_multiply(void *context)
{
    huge *h = context;
    const spmv_method_ops *ops = h->s->module->ops;
    const spmv_job job = { .layout = &h->layout, .alpha = 1, .beta = 0, .x = h->x, .y = h->y,
                           .workspace = h->workspace };
    const spmv_job build = { .layout = &h->layout, .workspace = h->scratch };
    spmv_step step[2 * SPMV_MAX_STEPS];      /* room for a module that lists too many */

    h->affordable = is_affordable(&job, step, ops->launches(&job, step));
    if (h->affordable) {
        run_last_chunks(&build, step, ops->build_steps(&h->layout, step));
        run_last_chunks(&job, step, ops->launches(&job, step));
    }
}

static const int32_t *order_of_y(const spmv_layout *layout)
{
    return layout->permutes_y ? layout->array[layout->permutes_y - 1].data : NULL;
}

/* Fills the end of columns and values, which is compared. */
static void fill_tail(huge *h, int64_t nnz)
{
    const spmv_csr *tail = &h->tail->csr;
    const size_t bytes = bench_value_bytes(tail->value_type);

    memcpy((int32_t *)h->col_idx + (nnz - tail->nnz), tail->col_idx,
           (size_t)tail->nnz * sizeof(int32_t));
    memcpy((char *)h->val + (size_t)(nnz - tail->nnz) * bytes, tail->val,
           (size_t)tail->nnz * bytes);
}

/* Multiplies, and compares the short rows. */
static void multiply(huge *h, int64_t nnz)
{
    const spmv_csr *tail = &h->tail->csr;
    const size_t bytes = bench_value_bytes(tail->value_type);
    bench_reference *reference = NULL;
    bench_random random = { 3 };
    trap_report report;

    bench_random_fill(&random, BENCH_INTEGERS, tail->value_type, h->x, COLS);
    test_fill(tail->value_type, h->y, ROWS, NAN);
    for (int32_t i = 0; i < h->layout.array_count; i++) {
        h->array[i] = map_zeros(h->layout.array[i].bytes);
        h->layout.array[i].data = h->layout.array[i].bytes ? h->array[i] : NULL;
    }
    h->workspace = map_zeros(h->layout.workspace_bytes);
    h->scratch = map_zeros(h->layout.build_bytes);

    if (!trap_run(build_and_multiply, h, &report)) {
        suite_check(h->s, F_31_BITS, false, "%lld nonzeros: %s at %p", (long long)nnz,
                    trap_signal_name(report.signal), report.address);
    } else if (h->affordable && !bench_reference_create(tail, h->x, &reference)) {
        double y[ROWS];
        bench_unpermute(order_of_y(&h->layout), ROWS, bytes, h->y, y);
        const bench_verdict v = bench_reference_check(reference, 1, 0, NULL,
                                                      (const char *)y + GIANTS * bytes, true);
        suite_check(h->s, F_31_BITS, v.wrong == 0,
                    "%lld nonzeros: short row %lld: expected %g, found %g", (long long)nnz,
                    (long long)v.row, v.expected, v.found);
    }
    bench_reference_destroy(reference);
    for (int32_t i = 0; i < h->layout.array_count; i++)
        unmap(h->array[i], h->layout.array[i].bytes);
    unmap(h->workspace, h->layout.workspace_bytes);
    unmap(h->scratch, h->layout.build_bytes);
}

static bool make_tail(huge *h)
{
    bench_builder *builder = bench_builder_create(COLS);
    bench_random random = { 11 };
    bench_matrix *master = NULL;

    for (int r = 0; r < SHORT_ROWS && builder; r++) {
        for (int k = 0; k < 1 + r * 3 % 50; k++)
            bench_builder_add(builder, bench_random_below(&random, COLS),
                              (double)(1 + bench_random_below(&random, 4)));
        bench_builder_end_row(builder);
    }
    const bool made = !bench_builder_finish(builder, &master) &&
                      !bench_matrix_convert(&master->csr, 0, h->s->module->offset_type,
                                            h->s->module->value_type, &h->tail);
    bench_matrix_destroy(master);
    return made;
}

/* Tests sizes, then results. Sizes may depend on columns, so columns are filled first. */
static void try_past_31_bits(huge *h, int64_t nnz)
{
    h->col_bytes = (size_t)nnz * sizeof(int32_t);
    h->val_bytes = (size_t)nnz * bench_value_bytes(h->s->module->value_type);
    h->col_idx = map_zeros(h->col_bytes);
    h->val = map_zeros(h->val_bytes);
    if (!h->col_idx || !h->val) {
        h->s->skipped[F_31_BITS] = "needs 24 GB of address space";
    } else {
        fill_tail(h, nnz);
        if (check_sizes(h, nnz))
            multiply(h, nnz);
    }
    unmap(h->col_idx, h->col_bytes);
    unmap(h->val, h->val_bytes);
}

void test_past_31_bits(suite *s)
{
    const bool wide = s->module->offset_type == SPMV_I64;
    const int64_t nnz = wide ? (INT64_C(1) << 31) + 4321 : INT32_MAX;
    huge *h = calloc(1, sizeof *h);

    if (s->module->ops->symmetric) {
        s->skipped[F_31_BITS] = "its rows are empty or long, which the method declines";
        free(h);
        return;
    }
    if (s->module->ops->transposes) {
        s->skipped[F_31_BITS] = "the method reads all columns, which takes too long";
        free(h);
        return;
    }
    snprintf(s->label, sizeof s->label, "%lld nonzeros", (long long)nnz);
    if (h) {
        h->s = s;
        h->row_ptr = calloc(ROWS + 1, sizeof(int64_t));
        h->sizing = map_zeros(s->module->ops->sizing_bytes);
    }
    if (!h || !h->row_ptr || !h->sizing || !make_tail(h)) {
        s->skipped[F_31_BITS] = "the test itself has no memory";
    } else if (sizeof(size_t) < 8) {
        check_sizes(h, (int64_t)(SIZE_MAX / bench_value_bytes(s->module->value_type)));
        check_sizes(h, nnz);
    } else {
        try_past_31_bits(h, nnz);
    }
    if (h) {
        bench_matrix_destroy(h->tail);
        free(h->row_ptr);
        unmap(h->sizing, s->module->ops->sizing_bytes);
    }
    free(h);
}
