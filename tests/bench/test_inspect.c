/* test_inspect.c: spy plots, histograms and structure of matrices that can be counted by hand. */
#include <string.h>

#include "bench/inspect/histogram.h"
#include "bench/inspect/spy.h"
#include "bench/inspect/structure.h"
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

/* ---- structure ----------------------------------------------------------------------------- */

static int is_near(double a, double b)
{
    if (a - b < 1e-9 && b - a < 1e-9)
        return 1;
    diag("%.12g, not %.12g", a, b);
    return 0;
}

static int find_structure(bench_matrix *m, bench_structure *out)
{
    const int good = m && !bench_structure_compute(&m->csr, out);

    bench_matrix_destroy(m);
    return good;
}

static bench_matrix *generate(const char *name, const int64_t *value)
{
    bench_matrix *matrix = NULL;

    return bench_generator_find(name)->build(value, 1, &matrix) ? NULL : matrix;
}

/* A matrix of three columns: a number for each entry, 0 for a place without one. */
static bench_matrix *small(const double *entries, int rows)
{
    bench_builder *b = bench_builder_create(3);
    bench_matrix *matrix = NULL;

    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 3; c++)
            if (entries[3 * r + c] != 0)
                bench_builder_add(b, c, entries[3 * r + c]);
        bench_builder_end_row(b);
    }
    return bench_builder_finish(b, &matrix) ? NULL : matrix;
}

static void test_symmetry(void)
{
    static const struct {
        const char *name;
        double entries[9];
        int places, values, skew;
    } cases[] = {
        { "symmetric", { 1, 2, 0, 2, 3, 4, 0, 4, 5 }, 1, 1, 0 },
        { "only its places", { 1, 2, 0, 3, 4, 5, 0, 6, 7 }, 1, 0, 0 },
        { "skew-symmetric", { 0, 2, -3, -2, 0, 4, 3, -4, 0 }, 1, 0, 1 },
        { "not symmetric", { 1, 2, 0, 0, 3, 4, 0, 0, 5 }, 0, 0, 0 },
        { "places swapped against values", { 0, 1, 2, 2, 0, 1, 1, 2, 0 }, 1, 0, 0 },
        { "nothing", { 0 }, 1, 1, 1 },
    };
    bench_structure s;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(find_structure(small(cases[i].entries, 3), &s) && s.symmetric == cases[i].places &&
           s.symmetric_values == cases[i].values && s.skew_values == cases[i].skew,
           "symmetry: %s", cases[i].name);
    ok(find_structure(small(cases[0].entries, 2), &s) && !s.symmetric, "symmetry: not square");
}

/* 2 x 3, of which the columns 0 and 1 are full, with three repeated entries. */
static bench_matrix *repeated(void)
{
    static const int col[] = { 1, 0, 1, 1, 0 };
    bench_builder *b = bench_builder_create(3);
    bench_matrix *matrix = NULL;

    for (size_t i = 0; i < sizeof col / sizeof col[0]; i++)
        bench_builder_add(b, col[i], 1);
    bench_builder_end_row(b);
    bench_builder_add(b, 0, 1);
    bench_builder_add(b, 1, 1);
    bench_builder_end_row(b);
    return bench_builder_finish(b, &matrix) ? NULL : matrix;
}

static void test_repeated_places(void)
{
    bench_structure s;

    ok(find_structure(repeated(), &s) && s.nnz == 7 && s.duplicates == 3 && s.places == 4,
       "repeated places: counted");
    ok(is_near(s.block[0].full, 1) && is_near(s.block[0].fill, 1) &&
       is_near(s.block[1].full, 0) && is_near(s.block[1].fill, 4.0 / 9),
       "repeated places: they fill no block");
    ok(is_near(s.run, 2) && is_near(s.window, 0.5) && s.on_diagonal == 2 && s.diagonals == 3 &&
       is_near(s.on_full_diagonals, 1), "repeated places: they end no run");
}

static void test_structure(void)
{
    bench_structure s;

    ok(find_structure(generate("poisson5", (const int64_t[]){ 10 }), &s) && s.lower == 10 &&
       s.upper == 10 && s.on_diagonal == 100 && s.diagonals == 5 && s.profile == 9 + 90 * 10 &&
       is_near(s.on_full_diagonals, 1), "structure: five diagonals");
    ok(s.values.distinct == 2 && s.values.shown[0] == -1 && s.values.shown[1] == 4 &&
       s.values.inexact == 0, "structure: two values, which f32 holds");
    ok(find_structure(generate("blocks", (const int64_t[]){ 300, 3, 9 }), &s) &&
       is_near(s.block[1].full, 1) && is_near(s.block[1].fill, 1) && s.block[0].fill < 1,
       "structure: full blocks of 3 x 3");
    ok(s.values.distinct > 8000 && s.values.inexact > 8000, "structure: random values");
    ok(find_structure(generate("dense", (const int64_t[]){ 8, 8 }), &s) && is_near(s.run, 8) &&
       is_near(s.window, 1) && is_near(s.block[2].full, 1) && s.half_rows == 4,
       "structure: a dense matrix has full windows and blocks");
    ok(find_structure(shape("giant-middle", 1000), &s) && s.half_rows == 1,
       "structure: one row has half of the entries");
    ok(find_structure(shape("unsorted", 330), &s) && s.unsorted_rows == 10,
       "structure: unsorted rows are counted");
    ok(find_structure(shape("duplicates", 1000), &s) && s.duplicates > 0 &&
       s.empty_cols == 0, "structure: duplicates are counted");
    ok(find_structure(shape("last-column", 300), &s) && s.empty_cols == 999 && s.lower == 0 &&
       s.upper == 999, "structure: empty columns are counted");
    ok(find_structure(generate("random", (const int64_t[]){ 1, 10, 1, 10000000 }), &s) &&
       s.diagonals == 10, "structure: one row of ten million columns");
    for (const char *const *name = (const char *const[]){ "no-rows", "no-columns", "all-empty",
                                                          NULL }; *name; name++)
        ok(find_structure(shape(*name, 7), &s) && s.nnz == 0 && s.half_rows == 0 && s.run == 0,
           "structure: %s", *name);
}

int main(void)
{
    test_symmetry();
    test_structure();
    test_repeated_places();
    test_spy();
    test_histogram();
    return tap_done();
}
