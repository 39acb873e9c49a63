/* test_generators.c: models with parameters have the sizes, symmetry, row lengths and bits that
 * they promise. */
#include "bench/matrices/generators.h"

#include <stdlib.h>
#include <string.h>

#include "bench/matrices/shapes.h"
#include "tests/tap.h"

#define VALUES(...) (const int64_t[BENCH_MAX_PARAMETERS]){ __VA_ARGS__ }

static bench_matrix *build(const char *name, const int64_t *value, uint64_t seed)
{
    const bench_generator *generator = bench_generator_find(name);
    bench_matrix *matrix = NULL;

    return generator && !generator->build(value, seed, &matrix) ? matrix : NULL;
}

static int is_same(const bench_matrix *a, const bench_matrix *b)
{
    const size_t nnz = (size_t)a->csr.nnz;

    return a->csr.rows == b->csr.rows && a->csr.nnz == b->csr.nnz &&
           memcmp(a->row_ptr, b->row_ptr, (size_t)(a->csr.rows + 1) * sizeof(int64_t)) == 0 &&
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

/* The value at a place; 0 where there is none. */
static double value_at(const spmv_csr *csr, int64_t row, int64_t col)
{
    for (int64_t k = bench_csr_offset(csr, row); k < bench_csr_offset(csr, row + 1); k++)
        if (csr->col_idx[k] == col)
            return bench_csr_value(csr, k);
    return 0;
}

static int is_symmetric(const spmv_csr *csr)
{
    int good = csr->rows == csr->cols;

    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1) && good; k++)
            good = value_at(csr, csr->col_idx[k], r) == bench_csr_value(csr, k);
    return good;
}

/* Every generator: the sizes that it announces, ascending columns, the seed. */
static void test_all(void)
{
    static const int64_t small[][BENCH_MAX_PARAMETERS] = {
        { 9 }, { 5 }, { 9 }, { 5 }, { 4, 2 }, { 4, 3 }, { 50 }, { 50, 4 }, { 50, 3, 4 }, { 6, 8 },
        { 60, 7, 1, 90 }, { 7, 9 },
    };
    size_t count;
    const bench_generator *generators = bench_generators(&count);

    ok(count == sizeof small / sizeof small[0], "each generator has a case here");
    for (size_t i = 0; i < count && i < sizeof small / sizeof small[0]; i++) {
        const char *name = generators[i].name;
        bench_matrix *m = build(name, small[i], 1), *again = build(name, small[i], 1);
        int64_t rows, cols, nnz;
        if (!ok(m && again && is_same(m, again), "%s: the same twice", name))
            continue;
        generators[i].measure(small[i], &rows, &cols, &nnz);
        const int announced = m->csr.rows == rows && m->csr.cols == cols && m->csr.nnz <= nnz &&
                              m->csr.nnz > nnz / 2;
        if (!ok(announced && ascends(&m->csr), "%s: sizes as announced, columns ascend", name))
            diag("%lld x %lld, %lld of %lld", (long long)m->csr.rows, (long long)m->csr.cols,
                 (long long)m->csr.nnz, (long long)nnz);
        bench_matrix_destroy(m);
        bench_matrix_destroy(again);
    }
}

static void test_symmetry(void)
{
    static const struct { const char *name; int64_t value[BENCH_MAX_PARAMETERS]; } cases[] = {
        { "poisson5", { 7 } }, { "poisson7", { 5 } }, { "stencil9", { 7 } }, { "stencil27", { 4 } },
        { "mesh7", { 4, 2 } }, { "mesh27", { 4, 3 } },
        { "tridiagonal", { 20 } }, { "banded", { 20, 5 } },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_matrix *m = build(cases[i].name, cases[i].value, 1);
        ok(m && is_symmetric(&m->csr), "%s is symmetric", cases[i].name);
        bench_matrix_destroy(m);
    }
    bench_matrix *band = build("banded", VALUES(100, 9), 1);
    const bench_row_lengths lengths = bench_csr_row_lengths(&band->csr);
    ok(lengths.min == 10 && lengths.max == 19 && band->csr.nnz == 100 * 19 - 9 * 10,
       "banded: the width is 2 * HALF + 1, but less at both ends");
    bench_matrix_destroy(band);
}

/* The names that shapes and generators share stand for the same bits. */
static void test_shapes(void)
{
    static const struct {
        const char *shape;
        int64_t size;
        const char *name;
        int64_t value[BENCH_MAX_PARAMETERS];
    } cases[] = {
        { "poisson-3d", 1000, "poisson7", { 10 } }, { "poisson-3d", 1, "poisson7", { 1 } },
        { "poisson-2d", 400, "poisson5", { 20 } },  { "stencil-27", 216, "stencil27", { 6 } },
        { "rmat", 512, "rmat", { 9, 16 } },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_matrix *made = build(cases[i].name, cases[i].value, 3), *shape = NULL;
        ok(!bench_shape_build(bench_shape_find(cases[i].shape), cases[i].size, 3, &shape) && made &&
           is_same(made, shape), "%s is the shape %s", cases[i].name, cases[i].shape);
        bench_matrix_destroy(made);
        bench_matrix_destroy(shape);
    }
}

/* random: the mean, and the form of the distribution of lengths. */
static void test_lengths(void)
{
    enum { ROWS = 40000, MEAN = 12 };
    const bench_parameter *lengths = &bench_generator_find("random")->parameter[2];

    for (int64_t i = 0; lengths->words[i]; i++) {
        const char *word = lengths->words[i];
        bench_matrix *m = build("random", VALUES(ROWS, MEAN, i), 1);
        bench_matrix *other = build("random", VALUES(ROWS, MEAN, i), 2);
        if (!ok(m && other && !is_same(m, other), "random, %s: the seed decides", word))
            continue;
        const bench_row_lengths l = bench_csr_row_lengths(&m->csr);
        const double empty = (double)l.empty / (double)ROWS;
        const int formed = strcmp(word, "constant") == 0 ? l.min == MEAN && l.max == MEAN
            : strcmp(word, "uniform") == 0    ? l.min == 1 && l.max == 2 * MEAN - 1
            : strcmp(word, "bimodal") == 0    ? l.min == MEAN / 2 && l.max == 66
            : strcmp(word, "half-empty") == 0 ? empty > 0.48 && empty < 0.52 && l.max == 2 * MEAN
                                              : l.min >= MEAN / 4 && l.max > 1000;
        if (!ok(formed && l.average / (double)MEAN > 0.9 && l.average / (double)MEAN < 1.1,
                "random, %s: lengths of that form, on average %d", word, MEAN))
            diag("%lld to %lld, average %g, empty %g", (long long)l.min, (long long)l.max,
                 l.average, empty);
        bench_matrix_destroy(m);
        bench_matrix_destroy(other);
    }
}

/* blocks: every row of blocks has the one on the diagonal, and all blocks are full. */
static void test_blocks(void)
{
    enum { EDGE = 3, COUNT = 5, NODES = 200 };
    bench_matrix *m = build("blocks", VALUES(NODES * EDGE, EDGE, COUNT), 1);
    int whole = 1, diagonal = 1;

    for (int64_t r = 0; r < m->csr.rows; r++) {
        const int64_t begin = bench_csr_offset(&m->csr, r);
        int on_diagonal = 0;
        whole = whole && bench_csr_offset(&m->csr, r + 1) - begin == EDGE * COUNT;
        for (int64_t k = 0; k < EDGE * COUNT && whole; k++) {
            const int64_t col = m->csr.col_idx[begin + k];
            whole = col % EDGE == k % EDGE;
            on_diagonal += col / EDGE == r / EDGE;
        }
        diagonal = diagonal && on_diagonal == EDGE;
    }
    ok(whole && diagonal, "blocks: whole, and one of each row on the diagonal");
    bench_matrix_destroy(m);
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    for (const unsigned char *b = bytes, *end = b + count; b < end; b++)
        hash = (hash ^ *b) * UINT64_C(1099511628211);
    return hash;
}

/* Results that were measured on a model must stay comparable, also between compilers. */
static void test_bits(void)
{
    static const struct { const char *name; int64_t value[BENCH_MAX_PARAMETERS]; } cases[] = {
        { "stencil9", { 20 } }, { "banded", { 200, 7 } }, { "blocks", { 300, 4, 6 } },
        { "rmat", { 8, 5 } }, { "random", { 900, 9, 0, 5000 } }, { "random", { 900, 9, 2 } },
        { "random", { 900, 9, 3 } }, { "random", { 900, 9, 4 } }, { "dense", { 30, 40 } },
    };
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_matrix *m = build(cases[i].name, cases[i].value, 1);
        hash = hash_bytes(hash, m->row_ptr, (size_t)(m->csr.rows + 1) * sizeof(int64_t));
        hash = hash_bytes(hash, m->col_idx, (size_t)m->csr.nnz * sizeof *m->col_idx);
        hash = hash_bytes(hash, m->val, (size_t)m->csr.nnz * sizeof(double));
        bench_matrix_destroy(m);
    }
    if (!ok(hash == UINT64_C(0x8ff83bccff9bfe0c), "the bits are as ever"))
        diag("hash 0x%llx", (unsigned long long)hash);
}

int main(void)
{
    test_all();
    test_symmetry();
    test_shapes();
    test_lengths();
    test_blocks();
    test_bits();
    return tap_done();
}
