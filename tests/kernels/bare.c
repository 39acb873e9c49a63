/* bare.c: see bare.h. */
#include "bare.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/permutation.h"
#include "bench/matrices/random.h"
#include "launch.h"
#include "transposing.h"
#include "trap.h"

enum { ROW_PTR, COL_IDX, VAL, X, Y, WORKSPACE, SCRATCH, COL_IDX_OUT, VAL_OUT, ARRAYS,
       GUARDS = ARRAYS + SPMV_MAX_ARRAYS };

static const char *const guard_names[ARRAYS] = {
    "row_ptr", "col_idx", "val", "x", "y", "the workspace", "the scratch", "col_idx_out",
    "val_out",
};

struct bare {
    const spmv_module *module;
    guard *guard[GUARDS];
    guard_side side;
    int x_side;                  /* where x was placed; -1: nowhere */
    int64_t setting[SPMV_MAX_SETTINGS];
    spmv_layout layout;
    transposing transpose;       /* of the matrix, for a module that transposes */
    int32_t *order_y;            /* a copy of the layout's order of y; NULL: the order of rows */
    int32_t *order_x;            /* a copy of the layout's order of x; NULL: the order of columns */
    bench_random random;
    uint32_t runs;               /* chooses the garbage in the workspace */
    bool alpha_is_zero;
    const char *stop;            /* bare_execute_until's; else NULL */
    char error[256];
};

/* ---- creation, and faults ------------------------------------------------------------------ */

bare *bare_create(const spmv_module *module)
{
    bare *b = calloc(1, sizeof *b);

    if (!b)
        return NULL;
    b->module = module;
    b->x_side = -1;
    for (int32_t i = 0; i < module->ops->setting_count; i++)
        b->setting[i] = module->ops->settings[i].initial;
    for (int i = 0; i < GUARDS; i++) {
        b->guard[i] = guard_create(i < ARRAYS ? guard_names[i] : "an array of the layout");
        if (!b->guard[i]) {
            bare_destroy(b);
            return NULL;
        }
    }
    return b;
}

void bare_destroy(bare *b)
{
    if (!b)
        return;
    for (int i = 0; i < GUARDS; i++)
        guard_destroy(b->guard[i]);
    transposing_destroy(&b->transpose);
    free(b->order_y);
    free(b->order_x);
    free(b);
}

void bare_set(bare *b, const int64_t *setting)
{
    memcpy(b->setting, setting, sizeof b->setting);
}

const char *bare_error(const bare *b)
{
    return b->error;
}

const spmv_layout *bare_layout(const bare *b)
{
    return &b->layout;
}

__attribute__((format(printf, 3, 4)))
static bare_fault fault(bare *b, bare_fault kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(b->error, sizeof b->error, format, args);
    va_end(args);
    return kind;
}

static const char *name_of(const bare *b, int index)
{
    const char *name = index >= ARRAYS ? b->layout.array[index - ARRAYS].name : NULL;
    return name ? name : guard_name(b->guard[index]);
}

/* The kind of fault of a forbidden access to byte `offset` of an array. */
static bare_fault kind_of_access(const bare *b, int index, ptrdiff_t offset)
{
    const guard *g = b->guard[index];
    const bool inside = offset >= 0 && (size_t)offset < guard_bytes(g);
    const bool is_input = index <= X;

    if (!inside)
        return BARE_MEMORY;
    if (guard_allowed(g) == GUARD_READ_ONLY)
        return is_input ? BARE_CHANGED : BARE_MEMORY;
    return b->alpha_is_zero ? BARE_ALPHA_ZERO : is_input ? BARE_UNBORROWED : BARE_MEMORY;
}

/* Finds the array that a signal's address lies in, and describes the fault. */
static bare_fault fault_of_signal(bare *b, const char *what, const trap_report *report)
{
    ptrdiff_t offset;

    for (int i = 0; i < GUARDS; i++)
        if (guard_covers(b->guard[i], report->address, &offset))
            return fault(b, kind_of_access(b, i, offset), "%s: forbidden access to byte %td of %s, "
                         "which has %zu bytes", what, offset, name_of(b, i),
                         guard_bytes(b->guard[i]));
    return fault(b, BARE_MEMORY, "%s: %s at %p", what, trap_signal_name(report->signal),
                 report->address);
}

static bare_fault check_bands(bare *b, const char *what)
{
    for (int i = 0; i < GUARDS; i++)
        if (!guard_is_intact(b->guard[i]))
            return fault(b, BARE_MEMORY, "%s: wrote beside %s (%zu bytes)", what, name_of(b, i),
                         guard_bytes(b->guard[i]));
    return BARE_NO_FAULT;
}

/* ---- running steps ------------------------------------------------------------------------- */

enum { RANGES = 16 };            /* of a shuffled step */

static void run_shuffled(bench_random *random, const spmv_step *step, const spmv_job *job)
{
    int64_t cut[RANGES + 1];
    int turn[RANGES];

    /* The cuts ascend. Two of them may be equal; the empty range between them is skipped. */
    for (int i = 0; i <= RANGES; i++)
        cut[i] = step->grid * i / RANGES;
    for (int i = 1; i < RANGES; i++)
        cut[i] += bench_random_below(random, step->grid / RANGES + 1);
    for (int i = 0; i < RANGES; i++)
        turn[i] = i;
    for (int i = RANGES - 1; i > 0; i--) {
        const int other = (int)bench_random_below(random, i + 1);
        const int kept = turn[i];
        turn[i] = turn[other];
        turn[other] = kept;
    }
    for (int i = 0; i < RANGES; i++)
        if (cut[turn[i]] < cut[turn[i] + 1])
            step->run(job, cut[turn[i]], cut[turn[i] + 1]);
}

typedef struct step_call {
    bare *b;
    const char *what;
    int32_t (*of_layout)(const spmv_layout *layout, spmv_step *step);   /* exactly one of the two is
                                                                           set */
    int32_t (*of_job)(const spmv_job *job, spmv_step *step);
    const spmv_job *job;
    bare_order order;
    bare_fault result;
} step_call;

static const char untouched[] = "untouched";   /* name of a step that was not written */

/* A step without a function: a kernel. */
static bare_fault run_kernel(bare *b, const char *what, const spmv_step *step, const spmv_job *job)
{
    const char *wrong = launch_kernel(b->module, step, job,
                                      (uint64_t)bench_random_below(&b->random, INT32_MAX));

    return wrong ? fault(b, BARE_CONTRACT, "%s: %s", what, wrong) : BARE_NO_FAULT;
}

/* ---- steps --------------------------------------------------------------------------------- */

static bare_fault check_steps(bare *b, const char *what, const spmv_step *step, int32_t count)
{
    if (count < 0 || count > SPMV_MAX_STEPS)
        return fault(b, BARE_CONTRACT, "%s: %d steps, at most %d are allowed", what, count,
                     SPMV_MAX_STEPS);
    if (step[SPMV_MAX_STEPS].name != untouched)
        return fault(b, BARE_CONTRACT, "%s: wrote more than %d steps", what, SPMV_MAX_STEPS);
    for (int32_t i = 0; i < count; i++)
        if (!step[i].name || step[i].grid < 0)
            return fault(b, BARE_CONTRACT, "%s: step %d has no name or grid %lld", what, i,
                         (long long)step[i].grid);
    return BARE_NO_FAULT;
}

static void run_steps(void *context)
{
    step_call *call = context;
    spmv_step step[SPMV_MAX_STEPS + 1];

    for (int i = 0; i <= SPMV_MAX_STEPS; i++)
        step[i] = (spmv_step){ untouched, NULL, -1 };
    const int32_t count = call->of_job ? call->of_job(call->job, step)
                                       : call->of_layout(&call->b->layout, step);
    call->result = check_steps(call->b, call->what, step, count);
    for (int32_t i = 0; i < count && !call->result; i++) {
        if (call->b->stop && strcmp(step[i].name, call->b->stop) == 0)
            break;
        if (step[i].grid == 0)
            continue;
        if (!step[i].run)
            call->result = run_kernel(call->b, call->what, &step[i], call->job);
        else if (call->order == BARE_WHOLE)
            step[i].run(call->job, 0, step[i].grid);
        else if (call->order == BARE_SHUFFLED)
            run_shuffled(&call->b->random, &step[i], call->job);
        else
            for (int64_t c = 0; c < step[i].grid; c++) {
                const int64_t chunk = call->order == BARE_FORWARD ? c : step[i].grid - 1 - c;
                step[i].run(call->job, chunk, chunk + 1);
            }
    }
}

static bare_fault run(step_call *call)
{
    trap_report report;

    if (!trap_run(run_steps, call, &report))
        return fault_of_signal(call->b, call->what, &report);
    return call->result ? call->result : check_bands(call->b, call->what);
}

/* ---- access -------------------------------------------------------------------------------- */

/* A launch may read the borrowed arrays of the CSR and the layout; with alpha = 0, neither. */
static void allow_launch(bare *b, bool reads)
{
    static const int32_t borrowed[] = { SPMV_BORROWS_ROW_PTR, SPMV_BORROWS_COL_IDX,
                                        SPMV_BORROWS_VAL };

    for (int i = ROW_PTR; i <= VAL; i++)
        guard_allow(b->guard[i], reads && (b->layout.borrows & borrowed[i]) ? GUARD_READ_ONLY
                                                                            : GUARD_NO_ACCESS);
    for (int i = ARRAYS; i < GUARDS; i++)
        guard_allow(b->guard[i], reads ? GUARD_READ_ONLY : GUARD_NO_ACCESS);
    guard_allow(b->guard[X], reads ? GUARD_READ_ONLY : GUARD_NO_ACCESS);
}

static void allow_build(bare *b)
{
    for (int i = ROW_PTR; i <= VAL; i++)
        guard_allow(b->guard[i], GUARD_READ_ONLY);
    for (int i = ARRAYS; i < GUARDS; i++)
        guard_allow(b->guard[i], GUARD_READ_WRITE);
}

static void *place_copy(bare *b, int index, const void *from, int64_t count, size_t bytes)
{
    void *data = guard_place(b->guard[index], (size_t)count * bytes, bytes, b->side);

    if (data && from && count > 0)
        memcpy(data, from, (size_t)count * bytes);
    return data;
}

/* An x equal to the last x stays in place, since most multiplications repeat it. If the layout
 * permutes x, x is always placed again. */
static const void *place_x(bare *b, const void *x, int64_t count, size_t bytes)
{
    const guard *g = b->guard[X];

    if (b->order_x) {
        void *ordered = place_copy(b, X, NULL, count, bytes);
        if (ordered)
            bench_permute(b->order_x, count, bytes, x, ordered);
        b->x_side = -1;
        return ordered;
    }

    if (b->x_side == (int)b->side && guard_bytes(g) == (size_t)count * bytes) {
        guard_allow(b->guard[X], GUARD_READ_ONLY);
        if (count == 0 || memcmp(guard_data(g), x, guard_bytes(g)) == 0)
            return guard_data(g);
    }
    b->x_side = (int)b->side;
    return place_copy(b, X, x, count, bytes);
}

/* ---- build --------------------------------------------------------------------------------- */

typedef struct size_call {
    const bare *b;
    spmv_layout *layout;
    spmv_status status;
} size_call;

static void call_layout_size(void *context)
{
    size_call *call = context;
    call->status = call->b->module->ops->layout_size(call->layout);
}

static bare_fault size_layout(bare *b, spmv_layout *layout)
{
    const spmv_csr csr = layout->csr;
    const size_t scratch_bytes = b->module->ops->sizing_bytes;
    size_call call = { b, layout, SPMV_OK };
    trap_report report;

    layout->scratch = guard_place(b->guard[SCRATCH], scratch_bytes, SPMV_ALIGNMENT, b->side);
    if (!layout->scratch)
        return fault(b, BARE_REFUSED, "out of memory");
    memset(layout->scratch, 0xa9, scratch_bytes);
    if (!trap_run(call_layout_size, &call, &report))
        return fault_of_signal(b, "layout_size", &report);
    layout->scratch = NULL;
    const bare_fault beside = check_bands(b, "layout_size");
    guard_allow(b->guard[SCRATCH], GUARD_NO_ACCESS);
    if (beside)
        return beside;
    if (call.status == SPMV_UNSUPPORTED)
        return fault(b, BARE_DECLINED, "layout_size: the method declines the matrix");
    if (call.status)
        return fault(b, BARE_REFUSED, "layout_size: status %d", (int)call.status);
    if (layout->array_count < 0 || layout->array_count > SPMV_MAX_ARRAYS ||
        (layout->borrows & ~7) != 0)
        return fault(b, BARE_CONTRACT, "layout_size: %d arrays, borrows %#x", layout->array_count,
                     (unsigned)layout->borrows);
    if (memcmp(&layout->csr, &csr, sizeof csr) != 0)
        return fault(b, BARE_CONTRACT, "layout_size: changed layout->csr");
    for (int32_t i = 0; i < layout->array_count; i++)
        if (layout->array[i].data || (layout->array[i].bytes && !layout->array[i].name))
            return fault(b, BARE_CONTRACT, "layout_size: array %d has data, or no name", i);
    return BARE_NO_FAULT;
}

static bool same_sizes(const spmv_layout *a, const spmv_layout *b)
{
    bool same = a->array_count == b->array_count && a->workspace_bytes == b->workspace_bytes &&
                a->build_bytes == b->build_bytes;

    for (int32_t i = 0; same && i < a->array_count; i++)
        same = a->array[i].bytes == b->array[i].bytes;
    return same;
}

/* Checks that the layout's array is a permutation of `count` rows or columns, and copies it. `name`
 * is "permutes_y" or "permutes_x", `permutes` the layout's member of that name. */
static bare_fault copy_order(bare *b, const char *name, int32_t permutes, int64_t count,
                             int32_t **order)
{
    const size_t bytes = (size_t)count * sizeof(int32_t);
    const spmv_array *array = b->layout.array + (permutes - 1);

    free(*order);
    *order = NULL;
    if (permutes == 0)
        return BARE_NO_FAULT;
    if (permutes < 0 || permutes > b->layout.array_count || array->bytes != bytes ||
        !bench_is_permutation(array->data, count))
        return fault(b, BARE_CONTRACT, "%s is %d, which is no array with each number once", name,
                     permutes);
    *order = malloc(bytes + 1);
    if (!*order)
        return fault(b, BARE_REFUSED, "out of memory");
    if (bytes > 0)
        memcpy(*order, array->data, bytes);
    return BARE_NO_FAULT;
}

/* Rows and columns of the matrix in the product, whichever way the module multiplies. */
static int64_t row_count(const bare *b)
{
    return b->module->ops->transposes ? b->layout.csr.cols : b->layout.csr.rows;
}

static int64_t column_count(const bare *b)
{
    return b->module->ops->transposes ? b->layout.csr.rows : b->layout.csr.cols;
}

static bare_fault copy_orders(bare *b)
{
    const spmv_layout *l = &b->layout;
    const bare_fault fault_of_y =
        copy_order(b, "permutes_y", l->permutes_y, row_count(b), &b->order_y);

    return fault_of_y ? fault_of_y
                      : copy_order(b, "permutes_x", l->permutes_x, column_count(b),
                                        &b->order_x);
}

/* Fills an array, the beginning of a very large one, with what may be in new memory: numbers of
 * f64, of which half is a signalling NaN of f32. A kernel that converts it raises an exception. */
static void fill_stale(void *memory, size_t bytes)
{
    const uint64_t stale = UINT64_C(0x3ff000007fa00000);

    for (size_t i = 0; i + sizeof stale <= bytes && i < (1 << 24); i += sizeof stale)
        memcpy((char *)memory + i, &stale, sizeof stale);
}

bare_fault bare_build(bare *b, const spmv_csr *csr, guard_side side, bare_order order)
{
    spmv_layout again;
    spmv_job job = { .layout = &b->layout };
    step_call call = { .b = b, .what = "build", .of_layout = b->module->ops->build_steps,
                       .job = &job, .order = order };

    transposing_destroy(&b->transpose);
    if (b->module->ops->transposes) {
        if (!transposing_create(csr, &b->transpose))
            return fault(b, BARE_REFUSED, "out of memory");
        csr = &b->transpose.matrix->csr;
    }
    b->side = side;
    b->layout = (spmv_layout){ .csr = *csr };
    memcpy(b->layout.setting, b->setting, sizeof b->setting);
    b->layout.csr.row_ptr = place_copy(b, ROW_PTR, csr->row_ptr, csr->rows + 1,
                                       bench_offset_bytes(csr->offset_type));
    b->layout.csr.col_idx = place_copy(b, COL_IDX, csr->col_idx, csr->nnz, sizeof(int32_t));
    b->layout.csr.val = place_copy(b, VAL, csr->val, csr->nnz, bench_value_bytes(csr->value_type));
    if (!b->layout.csr.row_ptr || !b->layout.csr.col_idx || !b->layout.csr.val)
        return fault(b, BARE_REFUSED, "out of memory");
    allow_build(b);

    again = b->layout;
    bare_fault result = size_layout(b, &b->layout);
    if (result)
        return result;
    result = size_layout(b, &again);
    if (result == BARE_DECLINED)
        return fault(b, BARE_CONTRACT, "layout_size: declines the matrix when called again");
    if (result)
        return result;
    if (!same_sizes(&b->layout, &again))
        return fault(b, BARE_CONTRACT, "layout_size: other sizes when called again");
    for (int32_t i = 0; i < b->layout.array_count; i++) {
        spmv_array *array = &b->layout.array[i];
        void *data = guard_place(b->guard[ARRAYS + i], array->bytes, SPMV_ALIGNMENT, side);
        if (!data)
            return fault(b, BARE_REFUSED, "out of memory");
        array->data = array->bytes ? data : NULL;
        if (csr->value_type == SPMV_F64)
            fill_stale(data, array->bytes);
    }
    job.workspace = guard_place(b->guard[SCRATCH], b->layout.build_bytes, SPMV_ALIGNMENT, side);
    if (!job.workspace)
        return fault(b, BARE_REFUSED, "out of memory");
    memset(job.workspace, 0xa9, b->layout.build_bytes);
    result = run(&call);
    guard_allow(b->guard[SCRATCH], GUARD_NO_ACCESS);
    return result ? result : copy_orders(b);
}

/* ---- multiplication ------------------------------------------------------------------------ */

static spmv_job job_of(const bare *b, double alpha, double beta)
{
    const bool single = b->layout.csr.value_type == SPMV_F32;

    return (spmv_job){ .layout = &b->layout, .alpha = single ? (float)alpha : alpha,
                       .beta = single ? (float)beta : beta };
}

/* Fills a workspace of that size with garbage, and runs the steps of the job, whose x and y are
 * placed. */
static bare_fault run_launches(bare *b, spmv_job *job, size_t workspace_bytes,
                               int32_t (*launches)(const spmv_job *, spmv_step *), bare_order order)
{
    static const int garbage[] = { 0xa9, 0xff, 0x00 };   /* 0xff: NaN */
    step_call call = { .b = b, .what = "execute", .of_job = launches, .job = job, .order = order };

    job->workspace = guard_place(b->guard[WORKSPACE], workspace_bytes, SPMV_ALIGNMENT, b->side);
    if (!job->x || !job->y || !job->workspace)
        return fault(b, BARE_REFUSED, "out of memory");
    memset(job->workspace, garbage[b->runs++ % 3], workspace_bytes);
    b->alpha_is_zero = job->alpha == 0;
    allow_launch(b, !b->alpha_is_zero);
    const bare_fault result = run(&call);
    b->alpha_is_zero = false;
    return result;
}

bare_fault bare_execute(bare *b, double alpha, const void *x, double beta, const void *before,
                        bare_order order, void *y)
{
    const spmv_csr *csr = &b->layout.csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    spmv_job job = job_of(b, alpha, beta);

    job.x = place_x(b, x, column_count(b), bytes);
    job.y = place_copy(b, Y, NULL, row_count(b), bytes);
    if (before && job.y)
        bench_permute(b->order_y, row_count(b), bytes, before, job.y);
    const bare_fault result =
        run_launches(b, &job, b->layout.workspace_bytes, b->module->ops->launches, order);
    if (job.y)
        bench_unpermute(b->order_y, row_count(b), bytes, job.y, y);
    return result;
}

int64_t bare_columns_y_count(const bare_columns *c, int64_t rows)
{
    return rows > 0 ? (rows - 1) * c->y_row_stride + (c->columns - 1) * c->y_column_stride + 1 : 0;
}

bare_fault bare_execute_columns(bare *b, double alpha, double beta, const bare_columns *c,
                                bare_order order)
{
    const spmv_csr *csr = &b->layout.csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    const int64_t x_count = csr->cols > 0 ? (csr->cols - 1) * c->x_stride + c->columns : 0;
    const int64_t y_count = bare_columns_y_count(c, csr->rows);
    spmv_job job = job_of(b, alpha, beta);

    const size_t vectors = (size_t)c->columns * b->layout.workspace_bytes;

    b->x_side = -1;
    job.x = place_copy(b, X, c->x, x_count, bytes);
    job.y = place_copy(b, Y, c->y, y_count, bytes);
    job.columns = c->columns;
    job.x_stride = c->x_stride;
    job.y_row_stride = c->y_row_stride;
    job.y_column_stride = c->y_column_stride;
    const bare_fault result =
        run_launches(b, &job,
                     (vectors + SPMV_ALIGNMENT - 1) / SPMV_ALIGNMENT * SPMV_ALIGNMENT +
                         b->layout.columns_bytes,
                     b->module->ops->launches_columns, order);
    if (job.y && y_count > 0)
        memcpy(c->y, job.y, (size_t)y_count * bytes);
    return result;
}

/* ---- the rest of the contract -------------------------------------------------------------- */

bare_fault bare_execute_until(bare *b, const char *stop, double alpha, const void *x, double beta,
                              const void *before, void *y)
{
    b->stop = stop;
    const bare_fault result = bare_execute(b, alpha, x, beta, before, BARE_FORWARD, y);
    b->stop = NULL;
    return result;
}

const void *bare_workspace(const bare *b)
{
    return guard_data(b->guard[WORKSPACE]);
}

bare_fault bare_update(bare *b, const void *val, bare_order order)
{
    const spmv_csr *csr = &b->layout.csr;
    const spmv_job job = { .layout = &b->layout };
    step_call call = { .b = b, .what = "update", .of_layout = b->module->ops->update_steps,
                       .job = &job, .order = order };

    void *placed = place_copy(b, VAL, val, csr->nnz, bench_value_bytes(csr->value_type));

    if (!placed)
        return fault(b, BARE_REFUSED, "out of memory");
    if (b->module->ops->transposes)
        transposing_order(&b->transpose, val, placed);
    b->layout.csr.val = placed;
    allow_launch(b, true);
    for (int i = ARRAYS; i < GUARDS; i++)
        guard_allow(b->guard[i], GUARD_READ_WRITE);
    guard_allow(b->guard[VAL], GUARD_READ_ONLY);
    return run(&call);
}

bare_fault bare_restore(bare *b, bare_order order, int32_t *col_idx, void *val)
{
    const spmv_csr *csr = &b->layout.csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    spmv_job job = { .layout = &b->layout };
    step_call call = { .b = b, .what = "restore", .of_job = b->module->ops->restore_steps,
                       .job = &job, .order = order };

    if (col_idx)
        job.col_idx_out = place_copy(b, COL_IDX_OUT, NULL, csr->nnz, sizeof(int32_t));
    if (val)
        job.val_out = place_copy(b, VAL_OUT, NULL, csr->nnz, bytes);
    if ((col_idx && !job.col_idx_out) || (val && !job.val_out))
        return fault(b, BARE_REFUSED, "out of memory");
    allow_launch(b, true);
    const bare_fault result = run(&call);
    if (b->module->ops->transposes) {
        if (col_idx)
            transposing_restore_columns(&b->transpose, job.col_idx_out, col_idx);
        if (val)
            transposing_restore(&b->transpose, job.val_out, val);
        return result;
    }
    if (col_idx && csr->nnz > 0)
        memcpy(col_idx, job.col_idx_out, (size_t)csr->nnz * sizeof(int32_t));
    if (val && csr->nnz > 0)
        memcpy(val, job.val_out, (size_t)csr->nnz * bytes);
    return result;
}
