/* test_inspect.c: spy plots, histograms and structure of matrices that can be counted by hand. */
#include <string.h>

#include "bench/inspect/histogram.h"
#include "bench/inspect/spy.h"
#include "bench/matrices/generators.h"
#include "bench/matrices/shapes.h"
#include "tests/tap.h"

static bench_matrix *shape(const char *name, int64_t size)
{
    bench_matrix *matrix = NULL;

    return bench_shape_build(bench_shape_find(name), size, 1, &matrix) ? NULL : matrix;
}

/* ---- spy ----------------------------------------------------------------------------------- */

static int has_form(const bench_spy *spy, int32_t rows, int32_t cols)
{
    if (spy->rows != rows || spy->cols != cols)
        diag("%d x %d cells", (int)spy->rows, (int)spy->cols);
    return spy->rows == rows && spy->cols == cols;
}

/* Whether exactly the cells on the diagonal have a shade. */
static int is_diagonal(const bench_spy *spy)
{
    int good = 1;

    for (int32_t r = 0; r < spy->rows; r++)
        for (int32_t c = 0; c < spy->cols; c++)
            good = good && (spy->shade[r * spy->cols + c] != 0) == (r == c);
    return good;
}

static void test_spy(void)
{
    static const struct { int64_t rows, cols; int32_t spy_rows, spy_cols; } forms[] = {
        { 100, 100, 48, 48 }, { 1, 10000000, 1, 48 }, { 200, 100, 48, 24 }, { 10, 1000, 10, 48 },
        { 5000, 1000000, 12, 48 }, { 3, 2, 3, 2 },
    };
    bench_matrix *m = shape("diagonal", 1000);
    bench_spy spy;

    ok(!bench_spy_create(&m->csr, 48, 48, &spy) && has_form(&spy, 48, 48) && is_diagonal(&spy),
       "spy: a diagonal");
    bench_spy_destroy(&spy);
    bench_matrix_destroy(m);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const int64_t value[] = { forms[i].rows, 1, 0, forms[i].cols };
        bench_generator_find("random")->build(value, 1, &m);
        ok(!bench_spy_create(&m->csr, 48, 48, &spy) &&
           has_form(&spy, forms[i].spy_rows, forms[i].spy_cols), "spy: cells for %lld x %lld",
           (long long)forms[i].rows, (long long)forms[i].cols);
        bench_spy_destroy(&spy);
        bench_matrix_destroy(m);
    }
    m = shape("no-columns", 7);
    ok(!bench_spy_create(&m->csr, 48, 48, &spy) && has_form(&spy, 0, 0), "spy: no columns");
    bench_spy_destroy(&spy);
    bench_matrix_destroy(m);
    /* First row, first column and diagonal of 300: all three meet in the first cell. */
    m = shape("arrow", 300);
    ok(!bench_spy_create(&m->csr, 48, 48, &spy) && spy.shade[0] == BENCH_SPY_SHADES &&
       spy.shade[47] > 0 && spy.shade[47 * 48] > 0 && spy.shade[47 * 48 + 47] > 0 &&
       spy.shade[48 * 20 + 30] == 0, "spy: an arrow, fullest at its tip");
    bench_spy_destroy(&spy);
    bench_matrix_destroy(m);
}

/* ---- histogram ----------------------------------------------------------------------------- */

static int is_class(const bench_histogram *h, int index, int64_t least, int64_t most, int64_t rows)
{
    const bench_length_class *c = &h->entry[index];

    if (index < h->count && c->least == least && c->most == most && c->rows == rows)
        return 1;
    diag("class %d of %d: %lld to %lld, %lld rows", index, h->count, (long long)c->least,
         (long long)c->most, (long long)c->rows);
    return 0;
}

/* Whether classes are in order, and together have all rows and entries. */
static int is_whole(const bench_histogram *h, const spmv_csr *csr)
{
    int64_t rows = 0, nnz = 0;
    int good = 1;

    for (int i = 0; i < h->count; i++) {
        const bench_length_class *c = &h->entry[i];
        rows += c->rows;
        nnz += c->nnz;
        good = good && c->least <= c->most && (i == 0 || c->least > h->entry[i - 1].most) &&
               c->nnz >= c->rows * c->least && c->nnz <= c->rows * c->most;
    }
    return good && rows == csr->rows && nnz == csr->nnz;
}

static void test_histogram(void)
{
    static const struct { const char *name; int64_t size; } shapes[] = {
        { "one-of-each", 47 }, { "one-of-each", 50 }, { "staircase", 47 }, { "skewed", 20000 },
        { "giant-middle", 100000 }, { "half-empty", 5000 }, { "no-rows", 7 }, { "all-empty", 9 },
    };
    bench_histogram h;
    bench_matrix *m;

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        m = shape(shapes[i].name, shapes[i].size);
        bench_histogram_create(&m->csr, &h);
        ok(is_whole(&h, &m->csr), "histogram: %s %lld, all rows", shapes[i].name,
           (long long)shapes[i].size);
        bench_matrix_destroy(m);
    }
    m = shape("poisson-3d", 1000);
    bench_histogram_create(&m->csr, &h);
    ok(h.count == 4 && is_class(&h, 0, 4, 4, 8) && is_class(&h, 1, 5, 5, 96) &&
       is_class(&h, 2, 6, 6, 384) && is_class(&h, 3, 7, 7, 512),
       "histogram: a class for each of a few lengths");
    bench_matrix_destroy(m);
    m = shape("staircase", 47);          /* 0, 1, ... 47 */
    bench_histogram_create(&m->csr, &h);
    ok(h.count == 13 && is_class(&h, 0, 0, 0, 1) && is_class(&h, 1, 1, 4, 4) &&
       is_class(&h, 12, 45, 47, 3), "histogram: equal classes, and empty rows apart");
    bench_matrix_destroy(m);
    m = shape("staircase", 70);
    bench_histogram_create(&m->csr, &h);
    ok(h.count == 9 && is_class(&h, 0, 0, 0, 1) && is_class(&h, 1, 1, 1, 1) &&
       is_class(&h, 4, 5, 8, 4) && is_class(&h, 8, 65, 70, 6), "histogram: powers of two");
    bench_matrix_destroy(m);
}

int main(void)
{
    test_spy();
    test_histogram();
    return tap_done();
}
