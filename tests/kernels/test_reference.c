/* test_reference.c: tests that the reference accepts right results and rejects wrong results, and
 * that shapes match their names. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "bench/matrices/matrix.h"
#include "bench/matrices/random.h"
#include "bench/race/reference.h"
#include "bench/matrices/shapes.h"
#include "bench/matrices/transpose.h"

/* Number of results that the quick check accepted, and number of wrong results among them. */
static int agreed, agreed_wrongly;

static bench_verdict check(const bench_reference *reference, double alpha, double beta,
                           const void *before, const void *y, bool exact)
{
    const bench_verdict v = bench_reference_check(reference, alpha, beta, before, y, exact);

    if (bench_reference_agrees(reference, alpha, beta, before, y, exact)) {
        agreed++;
        agreed_wrongly += v.wrong > 0;
    }
    return v;
}

/* ---- the bound ----------------------------------------------------------------------------- */

/* y = alpha*A*x + beta*y by a plain loop in the value type, forwards or backwards. */
static void multiply(const spmv_csr *csr, double alpha, double beta, const void *x,
                     const void *before, bool backwards, void *y)
{
    for (int64_t r = 0; r < csr->rows; r++) {
        const int64_t begin = bench_csr_offset(csr, r), end = bench_csr_offset(csr, r + 1);
        double sum = 0;
        float sum_f = 0;
        for (int64_t i = begin; i < end; i++) {
            const int64_t k = backwards ? begin + end - 1 - i : i;
            const double a = bench_csr_value(csr, k);
            const double b = bench_value(csr->value_type, x, csr->col_idx[k] - csr->base);
            if (csr->value_type == SPMV_F32)
                sum_f += (float)a * (float)b;
            else
                sum += a * b;
        }
        const double old = bench_value(csr->value_type, before, r);
        if (csr->value_type == SPMV_F32)
            ((float *)y)[r] = (float)alpha * sum_f + (float)beta * (float)old;
        else
            ((double *)y)[r] = alpha * sum + beta * old;
    }
}

static void set(spmv_value_type type, void *values, int64_t index, double value)
{
    if (type == SPMV_F32)
        ((float *)values)[index] = (float)value;
    else
        ((double *)values)[index] = value;
}

typedef struct sample {
    bench_matrix *matrix;
    void *x, *before, *y;
    bench_reference *reference;
} sample;

static void sample_destroy(sample *s)
{
    bench_matrix_destroy(s->matrix);
    bench_reference_destroy(s->reference);
    free(s->x);
    free(s->before);
    free(s->y);
}

static bool sample_create(const char *shape, int64_t size, spmv_value_type type, bench_data data,
                          sample *s)
{
    bench_random random = { 77 };
    bench_matrix *master;

    *s = (sample){ 0 };
    if (bench_shape_build(bench_shape_find(shape), size, 3, &master))
        return false;
    const bool converted = !bench_matrix_convert(&master->csr, 1, SPMV_I32, type, &s->matrix);
    bench_matrix_destroy(master);
    if (!converted)
        return false;
    const spmv_csr *csr = &s->matrix->csr;
    s->x = malloc((size_t)csr->cols * sizeof(double) + 1);
    s->before = malloc((size_t)csr->rows * sizeof(double) + 1);
    s->y = malloc((size_t)csr->rows * sizeof(double) + 1);
    if (!s->x || !s->before || !s->y)
        return false;
    bench_random_fill(&random, data, type, s->matrix->val, (size_t)csr->nnz);
    bench_random_fill(&random, data, type, s->x, (size_t)csr->cols);
    bench_random_fill(&random, data, type, s->before, (size_t)csr->rows);
    return !bench_reference_create(csr, s->x, &s->reference);
}

static void test_accepts(spmv_value_type type)
{
    static const char *const shapes[] = { "short-rows", "one-row", "skewed", "inner-empty",
                                          "ones" };
    int64_t wrong = 0;
    double worst = 0;

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int backwards = 0; backwards < 2; backwards++) {
            sample s;
            if (sample_create(shapes[i], 20000, type, BENCH_MIXED, &s)) {
                multiply(&s.matrix->csr, -0.7, 1.3, s.x, s.before, backwards, s.y);
                const bench_verdict v =
                    check(s.reference, -0.7, 1.3, s.before, s.y, false);
                wrong += v.wrong + v.unjudged;
                worst = v.worst > worst ? v.worst : worst;
            } else {
                wrong++;
            }
            sample_destroy(&s);
        }
    ok(wrong == 0 && worst > 0 && worst <= 1, "f%d: plain loops in both directions pass",
       (int)type);
    diag("largest error over its bound: %g", worst);
}

/* Changes row 0 by a multiple of its bound. */
static void test_rejects(spmv_value_type type)
{
    static const double steps[] = { 0.5, 4 };
    sample s;

    if (!ok(sample_create("dense", 30, type, BENCH_UNIFORM, &s), "f%d: memory", (int)type))
        return;
    for (int i = 0; i < 2; i++) {
        multiply(&s.matrix->csr, 1, 0, s.x, s.before, false, s.y);
        const bench_verdict at = check(s.reference, 1, 0, NULL, s.y, false);
        double magnitude = 0;
        for (int64_t k = 0; k < 30; k++)
            magnitude += fabs(bench_csr_value(&s.matrix->csr, k) *
                              bench_value(type, s.x, s.matrix->csr.col_idx[k] - 1));
        const double eps = type == SPMV_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
        const double bound = 2 * 30 * eps * magnitude;
        set(type, s.y, 0, bench_value(type, s.y, 0) + steps[i] * bound);
        const bench_verdict v = check(s.reference, 1, 0, NULL, s.y, false);
        ok(at.wrong == 0 && v.wrong == i && (i == 0 || v.row == 0),
           "f%d: a row off by %g bounds is %s", (int)type, steps[i], i ? "wrong" : "right");
    }
    sample_destroy(&s);
}

static void test_classes(void)
{
    sample s;

    if (!ok(sample_create("diagonal", 8, SPMV_F32, BENCH_INTEGERS, &s), "memory"))
        return;
    const float big = 3e38f;
    ((float *)s.matrix->val)[0] = INFINITY;
    ((float *)s.matrix->val)[1] = NAN;
    ((float *)s.matrix->val)[2] = big;
    ((float *)s.x)[2] = 4;
    bench_reference_destroy(s.reference);
    s.reference = NULL;
    if (!ok(!bench_reference_create(&s.matrix->csr, s.x, &s.reference), "memory"))
        return;
    multiply(&s.matrix->csr, 1, 0, s.x, s.before, false, s.y);
    bench_verdict v = check(s.reference, 1, 0, NULL, s.y, true);
    ok(v.wrong == 0 && v.unjudged == 1, "Inf and NaN are as expected, an overflow is not judged");
    ((float *)s.y)[0] = -((float *)s.y)[0];
    v = check(s.reference, 1, 0, NULL, s.y, true);
    ok(v.wrong == 1 && v.row == 0, "Inf of the other sign is wrong");
    ((float *)s.y)[1] = 1;
    v = check(s.reference, 1, 0, NULL, s.y, true);
    ok(v.wrong == 2, "a number instead of a NaN is wrong");
    v = check(s.reference, 0, 0, NULL, s.y, true);
    ok(v.wrong == 8, "with alpha = 0 everything but 0 is wrong");
    sample_destroy(&s);
}

static void test_exact(void)
{
    sample s;

    if (!ok(sample_create("one-row", 100000, SPMV_F32, BENCH_INTEGERS, &s), "memory"))
        return;
    multiply(&s.matrix->csr, 0.75, 0.5, s.x, s.before, true, s.y);
    bench_verdict v = check(s.reference, 0.75, 0.5, s.before, s.y, true);
    ok(v.wrong == 0 && v.worst == 0, "integers are exact in f32, in a row of 100000");
    ((float *)s.y)[0] = nextafterf(((float *)s.y)[0], 1e9f);
    v = check(s.reference, 0.75, 0.5, s.before, s.y, true);
    ok(v.wrong == 1, "one unit in the last place is wrong where results are exact");
    sample_destroy(&s);
}

/* ---- shapes -------------------------------------------------------------------------------- */

static bool is_sound(const spmv_csr *csr)
{
    bool sound = bench_csr_offset(csr, 0) == 0 && bench_csr_offset(csr, csr->rows) == csr->nnz;

    for (int64_t r = 0; r < csr->rows && sound; r++)
        sound = bench_csr_offset(csr, r) <= bench_csr_offset(csr, r + 1);
    for (int64_t k = 0; k < csr->nnz && sound; k++)
        sound = csr->col_idx[k] >= 0 && csr->col_idx[k] < csr->cols;
    return sound;
}

static bool are_equal(const bench_matrix *a, const bench_matrix *b)
{
    const spmv_csr *c = &a->csr;

    return c->rows == b->csr.rows && c->cols == b->csr.cols && c->nnz == b->csr.nnz &&
           memcmp(a->row_ptr, b->row_ptr, (size_t)(c->rows + 1) * sizeof(int64_t)) == 0 &&
           memcmp(a->col_idx, b->col_idx, (size_t)c->nnz * sizeof(int32_t)) == 0 &&
           memcmp(a->val, b->val, (size_t)c->nnz * sizeof(double)) == 0;
}

static void test_shape(const bench_shape *shape, int64_t size)
{
    bench_matrix *a = NULL, *b = NULL;
    const bool built = !bench_shape_build(shape, size, 42, &a) &&
                       !bench_shape_build(shape, size, 42, &b);

    ok(built && is_sound(&a->csr) && are_equal(a, b),
       "%s, size %lld: a sound matrix, the same again", shape->name, (long long)size);
    bench_matrix_destroy(a);
    bench_matrix_destroy(b);
}

static int64_t nonzeros(const char *shape, int64_t size)
{
    bench_matrix *m = NULL;
    const int64_t nnz = bench_shape_build(bench_shape_find(shape), size, 9, &m) ? -1 : m->csr.nnz;

    bench_matrix_destroy(m);
    return nnz;
}

static void test_shapes_all(void)
{
    static const char *const exact[] = { "one-row", "ones", "short-rows", "leading-empty",
                                         "inner-empty", "trailing-empty", "duplicates", "unsorted",
                                         "skewed" };

    for (int kind = 0; kind < 2; kind++) {
        size_t count;
        const bench_shape *shapes =
            kind ? bench_model_shapes(&count) : bench_adversarial_shapes(&count);
        for (size_t i = 0; i < count; i++) {
            test_shape(&shapes[i], shapes[i].smallest);
            test_shape(&shapes[i], shapes[i].typical < shapes[i].quick ? shapes[i].typical
                                                                       : shapes[i].quick);
        }
    }
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++)
        ok(nonzeros(exact[i], 1023) == 1023, "%s has as many nonzeros as its size", exact[i]);
    ok(nonzeros("poisson-3d", 1000) == 7 * 1000 - 6 * 100, "a cube of 10^3 has 6400 nonzeros");
    ok(!bench_shape_find("no such shape"), "an unknown shape is not found");
    ok(nonzeros("dense", -1) == -1, "a size below the smallest is refused");
}

/* Makes each row of a product of integers slightly wrong in turn; then tries Inf and NaN as
 * factors. */
static void test_agrees(void)
{
    static const double factors[] = { 0, 1, 0.5, -0.7, INFINITY, NAN };
    enum { FACTORS = sizeof factors / sizeof factors[0] };
    sample s;
    int64_t missed = 0, accepted = 0;

    if (!ok(sample_create("short-rows", 300, SPMV_F64, BENCH_INTEGERS, &s), "memory"))
        return;
    for (int i = 0; i < FACTORS * FACTORS; i++) {
        const double alpha = factors[i / FACTORS], beta = factors[i % FACTORS];
        multiply(&s.matrix->csr, alpha, beta, s.x, s.before, false, s.y);
        const bool exact = alpha != -0.7 && beta != -0.7;
        accepted += bench_reference_agrees(s.reference, alpha, beta, s.before, s.y, exact);
        for (int64_t r = 0; r < s.matrix->csr.rows; r++) {
            double *y = &((double *)s.y)[r];
            const double right = *y;
            *y = isnan(right) ? 1 : isinf(right) ? -right : right + 0.25;
            missed += bench_reference_agrees(s.reference, alpha, beta, s.before, s.y, exact);
            *y = right;
        }
    }
    ok(accepted >= FACTORS * FACTORS - 2 * FACTORS,
       "the quick check accepts nearly all right results");
    diag("%d of %d", (int)accepted, FACTORS * FACTORS);
    ok(missed == 0, "the quick check tells no wrong result right");
    sample_destroy(&s);
}

/* If double lacks digits or overflows, the quick check leaves the answer to the full check. */
static void test_agrees_at_the_ends(void)
{
    static const struct {
        const char *what;
        double a, x, alpha, before, found;
    } cases[] = {
        { "a subnormal sum made large", 3e-162, 4.1e-162, 1e300, 0, 9.8813129168249309e-24 },
        { "a sum that is 0 in double, times Inf", 1e-170, 1e-170, INFINITY, 0, NAN },
        { "a sum beyond double less Inf", 1e200, 1e200, 1, -INFINITY, NAN },
        { "a product beyond double less Inf", 1e100, 1e100, 1e200, -INFINITY, NAN },
    };

    if (LDBL_MANT_DIG == DBL_MANT_DIG) {
        skip("the ends of double: long double is no wider here");
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample s;
        if (!ok(sample_create("diagonal", 1, SPMV_F64, BENCH_INTEGERS, &s), "memory"))
            return;
        ((double *)s.matrix->val)[0] = cases[i].a;
        ((double *)s.x)[0] = cases[i].x;
        ((double *)s.before)[0] = cases[i].before;
        ((double *)s.y)[0] = cases[i].found;
        bench_reference_destroy(s.reference);
        s.reference = NULL;
        if (ok(!bench_reference_create(&s.matrix->csr, s.x, &s.reference), "memory"))
            ok(!bench_reference_agrees(s.reference, cases[i].alpha, 1, s.before, s.y, false),
               "%s: not accepted", cases[i].what);
        sample_destroy(&s);
    }
}

/* The reference of the product with the transpose accepts what the reference of the transposed
 * matrix accepts, and rejects a change of one row. */
static void test_transposed(spmv_value_type type)
{
    bench_matrix *transpose = NULL;
    bench_reference *expected = NULL, *found = NULL;
    sample s;

    if (!ok(sample_create("irregular", 200, type, BENCH_UNIFORM, &s), "memory"))
        return;
    const spmv_csr *csr = &s.matrix->csr;
    double *y = calloc((size_t)csr->cols + 1, sizeof *y);
    bool good = y && !bench_matrix_transpose(csr, &transpose) &&
                !bench_reference_create(&transpose->csr, s.before, &expected) &&
                !bench_reference_create_transposed(csr, s.before, &found);
    for (int64_t c = 0; c < csr->cols && good; c++) {
        const int64_t end = bench_csr_offset(&transpose->csr, c + 1);
        double sum = 0;
        for (int64_t k = bench_csr_offset(&transpose->csr, c); k < end; k++)
            sum += bench_csr_value(&transpose->csr, k) *
                   bench_value(type, s.before, transpose->csr.col_idx[k]);
        set(type, y, c, sum);
    }
    ok(good && bench_reference_check(expected, 1, 0, NULL, y, false).wrong == 0 &&
           bench_reference_check(found, 1, 0, NULL, y, false).wrong == 0,
       "the product with the transpose in f%d is right", (int)type);
    if (good)
        set(type, y, csr->cols / 2, bench_value(type, y, csr->cols / 2) + 1);
    ok(good && bench_reference_check(found, 1, 0, NULL, y, false).wrong == 1,
       "a wrong row of it is found");
    bench_matrix_destroy(transpose);
    bench_reference_destroy(expected);
    bench_reference_destroy(found);
    free(y);
    sample_destroy(&s);
}

int main(void)
{
    test_transposed(SPMV_F32);
    test_transposed(SPMV_F64);
    test_accepts(SPMV_F32);
    test_accepts(SPMV_F64);
    test_rejects(SPMV_F32);
    test_rejects(SPMV_F64);
    test_classes();
    test_exact();
    test_shapes_all();
    test_agrees();
    test_agrees_at_the_ends();
    ok(agreed > 0 && agreed_wrongly == 0,
       "the full check accepts every result that the quick check accepts");
    return tap_done();
}
