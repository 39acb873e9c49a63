/* test_format.c: a matrix keeps its product in each format of cuSPARSE. The arrays are read as
 * format.h describes them, and nothing else is stored. */
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "bench/gpu/format.h"
#include "bench/matrices/matrix.h"
#include "bench/matrices/random.h"
#include "bench/matrices/shapes.h"

static int64_t at(const gpu_array *array, int bytes, int64_t i)
{
    return bytes == 8 ? ((const int64_t *)array->data)[i] : ((const int32_t *)array->data)[i];
}

/* What was read of a matrix: an integer y, and errors. */
typedef struct reading {
    const gpu_arrays *arrays;
    spmv_value_type type;
    const double *x;
    double *y;
    int64_t rows, cols;          /* size of the matrix */
    int64_t entries, strays;     /* nonzero values; invalid places */
} reading;

static void take(reading *r, int64_t row, int64_t col, int64_t i)
{
    const double value = bench_value(r->type, r->arrays->values.data, i);

    if (value == 0)
        return;
    if (row < 0 || row >= r->rows || col < 0 || col >= r->cols) {
        r->strays++;
        return;
    }
    r->entries++;
    r->y[row] += value * r->x[col];
}

static void read_lists(reading *r)
{
    const gpu_arrays *a = r->arrays;
    const int64_t edge = a->edge;
    const int64_t lists = a->format == GPU_SELL ? (a->rows + edge - 1) / edge : a->rows;

    for (int64_t l = 0; l < lists; l++) {
        const int64_t begin = at(&a->first, a->first_bytes, l);
        for (int64_t i = begin; i < at(&a->first, a->first_bytes, l + 1); i++) {
            const int64_t col = at(&a->columns, a->column_bytes, i);
            if (a->format != GPU_BSR) {
                take(r, a->format == GPU_SELL ? l * edge + (i - begin) % edge : l, col, i);
                continue;
            }
            r->strays += i > begin && col <= at(&a->columns, a->column_bytes, i - 1);
            for (int64_t k = 0; k < edge * edge; k++)
                take(r, l * edge + k / edge, col * edge + k % edge, i * edge * edge + k);
        }
    }
}

static void read_all(reading *r)
{
    const gpu_arrays *a = r->arrays;

    if (a->format != GPU_COO) {
        read_lists(r);
        return;
    }
    for (int64_t i = 0; i < a->stored; i++) {
        r->strays += i > 0 && at(&a->first, 4, i) < at(&a->first, 4, i - 1);
        take(r, at(&a->first, 4, i), at(&a->columns, 4, i), i);
    }
}

/* Sets values to nonzero integers, so that sums are exact and padding is recognised. */
static bench_matrix *make(const char *shape, int64_t size, spmv_offset_type offset,
                          spmv_value_type type)
{
    bench_matrix *first = NULL, *out = NULL;
    bench_random random = { 7 };

    if (bench_shape_build(bench_shape_find(shape), size, 1, &first) == SPMV_OK &&
        bench_matrix_convert(&first->csr, 0, offset, type, &out) == SPMV_OK)
        bench_random_fill(&random, BENCH_INTEGERS, type, out->val, (size_t)out->csr.nnz);
    bench_matrix_destroy(first);
    return out;
}

static void multiply(const spmv_csr *csr, const double *x, double *y)
{
    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++)
            y[r] += bench_csr_value(csr, k) * x[csr->col_idx[k]];
}

static bool is_same(const spmv_csr *csr, gpu_format format, int64_t edge)
{
    double *x = malloc((size_t)(csr->cols + 1) * sizeof *x);
    double *expected = calloc((size_t)csr->rows + 1, sizeof *expected);
    double *found = calloc((size_t)csr->rows + 1, sizeof *found);
    bench_random random = { 9 };
    gpu_arrays arrays = { .format = format };
    bool same = x && expected && found &&
                gpu_arrays_create(csr, format, edge, &arrays) == SPMV_OK;

    if (same) {
        reading r = { &arrays, csr->value_type, x, found, csr->rows, csr->cols, 0, 0 };
        bench_random_fill(&random, BENCH_INTEGERS, SPMV_F64, x, (size_t)csr->cols);
        multiply(csr, x, expected);
        read_all(&r);
        same = r.strays == 0 && r.entries == csr->nnz &&
               memcmp(found, expected, (size_t)csr->rows * sizeof *found) == 0 &&
               arrays.values.bytes == (size_t)arrays.stored * bench_value_bytes(csr->value_type);
        if (!same)
            diag("%lld of %lld entries, %lld strays, %lld stored", (long long)r.entries,
                 (long long)csr->nnz, (long long)r.strays, (long long)arrays.stored);
    }
    gpu_arrays_destroy(&arrays);
    free(x);
    free(expected);
    free(found);
    return same;
}

static const struct {
    const char *name;
    gpu_format format;
    int64_t edge;
    spmv_offset_type offset;
} kinds[] = {
    { "CSR", GPU_CSR, 1, SPMV_I32 },
    { "CSR with 64-bit offsets", GPU_CSR, 1, SPMV_I64 },
    { "CSR with 64-bit columns", GPU_WIDE, 1, SPMV_I64 },
    { "COO", GPU_COO, 1, SPMV_I32 },
    { "SELL in slices of 32", GPU_SELL, 32, SPMV_I32 },
    { "SELL in slices of 7", GPU_SELL, 7, SPMV_I32 },
    { "BSR in blocks of 2", GPU_BSR, 2, SPMV_I32 },
    { "BSR in blocks of 3", GPU_BSR, 3, SPMV_I32 },
    { "BSR in blocks of 4", GPU_BSR, 4, SPMV_I32 },
};

/* Partial blocks and slices, empty rows, rows of very different lengths. Columns ascend; those of
 * random rows may repeat, which block formats do not allow. */
static const struct {
    const char *shape;
    int64_t size;
} shapes[] = {
    { "poisson-2d", 400 }, { "stencil-27", 125 }, { "poisson-3d", 1000 },
};

static void test_kind(size_t k)
{
    int wrong = 0;

    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int types = 0; types < 2; types++) {
            bench_matrix *m = make(shapes[s].shape, shapes[s].size, kinds[k].offset,
                                   types ? SPMV_F32 : SPMV_F64);
            if (!m || !is_same(&m->csr, kinds[k].format, kinds[k].edge)) {
                diag("%s %lld", shapes[s].shape, (long long)shapes[s].size);
                wrong++;
            }
            bench_matrix_destroy(m);
        }
    ok(wrong == 0, "%s: the same matrix, and nothing but it", kinds[k].name);
}

/* Rows of 3, 0, 1, 0 and 2 entries in slices of 2, drawn as in format.h. */
static void test_sell_by_hand(void)
{
    static const int32_t row_ptr[] = { 0, 3, 3, 4, 4, 6 }, col_idx[] = { 0, 1, 4, 2, 0, 3 };
    static const double val[] = { 1, 2, 3, 4, 5, 6 };
    static const int32_t first[] = { 0, 6, 8, 12 };
    static const int32_t columns[] = { 0, -1, 1, -1, 4, -1, 2, -1, 0, -1, 3, -1 };
    const spmv_csr csr = { .rows = 5, .cols = 5, .nnz = 6, .row_ptr = row_ptr, .col_idx = col_idx,
                           .val = val, .offset_type = SPMV_I32, .value_type = SPMV_F64 };
    gpu_arrays a;

    ok(gpu_arrays_create(&csr, GPU_SELL, 2, &a) == SPMV_OK && a.stored == 12 &&
       a.first.bytes == sizeof first && memcmp(a.first.data, first, sizeof first) == 0 &&
       a.columns.bytes == sizeof columns && memcmp(a.columns.data, columns, sizeof columns) == 0,
       "SELL is laid out column by column, with columns of -1 where there is nothing");
    gpu_arrays_destroy(&a);
}

static void test_refusals(void)
{
    bench_matrix *narrow = make("poisson-2d", 100, SPMV_I32, SPMV_F64);
    bench_matrix *wide = make("poisson-2d", 100, SPMV_I64, SPMV_F64);
    gpu_arrays a;

    ok(gpu_arrays_create(&wide->csr, GPU_COO, 1, &a) == SPMV_OVERFLOW && !a.first.owned,
       "COO of 64-bit offsets is refused, and leaves nothing");
    ok(gpu_arrays_create(&narrow->csr, GPU_WIDE, 1, &a) == SPMV_INVALID_ARGUMENT &&
           !a.columns.owned,
       "64-bit columns beside 32-bit offsets are refused, and leave nothing");
    bench_matrix_destroy(narrow);
    bench_matrix_destroy(wide);
}

int main(void)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        test_kind(k);
    test_sell_by_hand();
    test_refusals();
    return tap_done();
}
