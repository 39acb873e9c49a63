/* test_shapes.c: models of matrices have what their names promise, and no shape ever changes. */
#include <string.h>

#include "bench/matrices/shapes.h"
#include "tests/tap.h"

static bench_matrix *build(const char *name, int64_t size, uint64_t seed)
{
    const bench_shape *shape = bench_shape_find(name);
    bench_matrix *matrix = NULL;

    return shape && !bench_shape_build(shape, size, seed, &matrix) ? matrix : NULL;
}

static int is_same(const bench_matrix *a, const bench_matrix *b)
{
    const size_t nnz = (size_t)a->csr.nnz;

    return a->csr.nnz == b->csr.nnz &&
           memcmp(a->col_idx, b->col_idx, nnz * sizeof *a->col_idx) == 0 &&
           memcmp(a->val, b->val, nnz * sizeof(double)) == 0;
}

static int ascends(const spmv_csr *csr)
{
    int good = 1;

    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r) + 1; k < bench_csr_offset(csr, r + 1); k++)
            good = good && csr->col_idx[k] > csr->col_idx[k - 1] && csr->col_idx[k] < csr->cols;
    return good;
}

/* Computes the shares of entries in the first half of the rows and of the columns. */
static void halves(const spmv_csr *csr, double *rows, double *cols)
{
    int64_t left = 0;

    for (int64_t k = 0; k < csr->nnz; k++)
        left += csr->col_idx[k] < csr->cols / 2;
    *rows = (double)bench_csr_offset(csr, csr->rows / 2) / (double)csr->nnz;
    *cols = (double)left / (double)csr->nnz;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    for (const unsigned char *b = bytes, *end = b + count; b < end; b++)
        hash = (hash ^ *b) * UINT64_C(1099511628211);
    return hash;
}

/* FNV-1a of the arrays of all shapes of a table. */
static uint64_t hash_shapes(const bench_shape *shapes, size_t count)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < count; i++) {
        bench_matrix *m = NULL;
        if (bench_shape_build(&shapes[i], shapes[i].quick, 1, &m))
            return 0;
        hash = hash_bytes(hash, m->row_ptr, (size_t)(m->csr.rows + 1) * sizeof(int64_t));
        hash = hash_bytes(hash, m->col_idx, (size_t)m->csr.nnz * sizeof *m->col_idx);
        hash = hash_bytes(hash, m->val, (size_t)m->csr.nnz * sizeof(double));
        bench_matrix_destroy(m);
    }
    return hash;
}

/* Results that were measured on a shape must stay comparable, also between compilers. */
static void test_bits(void)
{
    size_t count;
    const bench_shape *shapes = bench_model_shapes(&count);
    const uint64_t models = hash_shapes(shapes, count);

    if (!ok(models == UINT64_C(0xb49ffe14e652118e), "the bits of all models are as ever"))
        diag("hash 0x%llx", (unsigned long long)models);
    shapes = bench_adversarial_shapes(&count);
    const uint64_t adversarial = hash_shapes(shapes, count);
    if (!ok(adversarial == UINT64_C(0x8d900879f2a97be4), "and those of all adversarial shapes"))
        diag("hash 0x%llx", (unsigned long long)adversarial);
}

int main(void)
{
    bench_matrix *graph = build("rmat", 10000, 1), *again = build("rmat", 10000, 1);
    bench_matrix *other = build("rmat", 10000, 2);
    double rows, cols;

    if (!ok(graph && again && other, "an R-MAT graph is made"))
        return tap_done();
    const bench_row_lengths lengths = bench_csr_row_lengths(&graph->csr);
    ok(graph->csr.rows == 16384 && graph->csr.cols == 16384 && lengths.average > 12 &&
       lengths.average < 16,
       "rows are rounded up to a power of two, with not quite 16 edges each, since few are equal");
    ok(ascends(&graph->csr), "columns of a row ascend and differ");
    ok(is_same(graph, again) && !is_same(graph, other), "the seed, and it alone, decides");
    halves(&graph->csr, &rows, &cols);
    ok(rows > 0.7 && rows < 0.78 && cols > 0.7 && cols < 0.78,
       "about 0.76 of the edges begin, and as many end, in the first half");
    ok((double)lengths.max > 30 * lengths.average && lengths.empty > 0,
       "there are hubs, and empty rows");
    bench_matrix_destroy(graph);
    bench_matrix_destroy(again);
    bench_matrix_destroy(other);
    test_bits();
    return tap_done();
}
