/* test_strips_values.c: tests the codings of values of strips, in the template itself: each is
 * chosen for the values that it is made for, in each storage; products, restored values and updates
 * have the bits that wide values give, which are padded in diagonals; the cost of a plan falls with
 * the bytes of its values. */
#include "strips_template.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "bench/matrices/matrix.h"
#include "bench/matrices/random.h"
#include "bench/matrices/shapes.h"

/* ---- values -------------------------------------------------------------------------------- */

typedef struct value_set {
    const char *name;
    value_kind expected;
    double (*value)(bench_random *random);
} value_set;

static double equal(bench_random *random)
{
    (void)random;
    return 0.1;
}

static double few(bench_random *random)
{
    return 0.1 * (double)(bench_random_below(random, TABLE_VALUES) + 1);
}

static double many(bench_random *random)
{
    return 0.1 * (double)(bench_random_below(random, MOST_DISTINCT) + 1);
}

static double single(bench_random *random)
{
    return (float)(bench_random_unit(random) - 0.5);
}

static double any(bench_random *random)
{
    return bench_random_unit(random) - 0.5;
}

/* A NaN with a payload, both zeros, and the least f64. */
static double peculiar(bench_random *random)
{
    const uint64_t payload = UINT64_C(0xfff8000012345678);
    double values[TABLE_VALUES] = { 0, -0.0, 5e-324 };

    memcpy(&values[3], &payload, sizeof payload);
    return values[bench_random_below(random, TABLE_VALUES)];
}

/* Values that f32 has, and one that a CPU which flushes denormals would lose. */
static double denormal(bench_random *random)
{
    return bench_random_below(random, 100) ? single(random) : 1e-40f;
}

static double infinite(bench_random *random)
{
    return bench_random_below(random, 100) ? single(random) : (double)-INFINITY;
}

static double not_a_number(bench_random *random)
{
    return bench_random_below(random, 100) ? single(random) : (double)NAN;
}

static const value_set sets[] = {
    { "equal", VALUES_EQUAL, equal },
    { "few", VALUES_FEW, few },
    { "peculiar", VALUES_FEW, peculiar },
    { "at most 256", VALUES_BYTE, many },
    { "f32", VALUES_SINGLE, single },
    { "f32 and infinities", VALUES_SINGLE, infinite },
    { "f32 and denormals", VALUES_WIDE, denormal },
    { "f32 and NaN", VALUES_WIDE, not_a_number },
    { "any", VALUES_WIDE, any },
};

enum { SETS = sizeof sets / sizeof sets[0] };

static void fill(const value_set *set, real *val, i64 count)
{
    bench_random random = { 11 };

    for (i64 k = 0; k < count; k++)
        val[k] = set->value(&random);
}

/* ---- tests --------------------------------------------------------------------------------- */

typedef struct trial {
    const char *name;
    const spmv_csr *csr;
    real *val, *x, *y, *expected;
} trial;

static size_t y_bytes(const trial *t)
{
    return (size_t)t->csr->rows * sizeof(real);
}

/* Nonzeros of blocks of this kind of coding; padded diagonals count as wide. */
static i64 coded_nnz(const spmv_layout *layout, i32 kind)
{
    const strips_matrix a = strips_view(layout);
    i64 nnz = 0;

    for (i64 s = 0; s < a.strip_count; s++)
        for (i32 i = 0; i < STRIP_BLOCKS; i++) {
            const part_range range = block_range(&a, s, i);
            const i32 coded = coding_of(&a, s, i).kind;
            nnz += coded == kind || (has_reals(coded) && has_reals(kind)) ? range.end - range.begin
                                                                          : 0;
        }
    return nnz;
}

/* Bytes that the codings of a layout save. */
static i64 saved_bytes(const spmv_layout *layout)
{
    const value_coding wide = { VALUES_WIDE, 0 };
    const strips_matrix a = strips_view(layout);
    i64 bytes = 0;

    for (i64 s = 0; s < a.strip_count; s++)
        for (i32 i = 0; i < STRIP_BLOCKS; i++) {
            const part_range range = block_range(&a, s, i);
            const i64 count = range.end - range.begin;
            bytes += block_bytes(wide, count) - block_bytes(coding_of(&a, s, i), count);
        }
    return bytes;
}

/* Narrow values cost as many bytes less as the layout saves; where a vector of them is decoded,
 * some of these are taken for its cycles. */
static void check_cost(const trial *t, const value_set *set, const spmv_layout *wide,
                       const spmv_layout *narrow)
{
    const double all = (double)t->csr->nnz * sizeof(real);
    const double saved = (double)saved_bytes(narrow);
    const double less = wide->cost - narrow->cost;
    const bool is_decoded = set->expected != VALUES_EQUAL && set->expected != VALUES_WIDE;

    ok(less >= 0 && less <= saved + 0.02 * all &&
           less >= (is_decoded ? 0.25 : 1) * saved - 0.02 * all,
       "%s, %s: it costs %g bytes less, and saves %g", t->name, set->name, less, saved);
}

/* A new plan of each set. Small blocks are wide, since a table would take their bytes. */
static void test_set(const trial *t, const value_set *set)
{
    spmv_layout wide, narrow;

    fill(set, t->val, t->csr->nnz);
    build(&wide, t->csr, true);
    build(&narrow, t->csr, false);
    ok(coded_nnz(&wide, VALUES_WIDE) == t->csr->nnz, "%s, %s: wide on request", t->name, set->name);
    ok(coded_nnz(&narrow, set->expected) >= t->csr->nnz / 10 * 9, "%s, %s: the coding of %d",
       t->name, set->name, (int)set->expected);
    check_cost(t, set, &wide, &narrow);
    multiply(&wide, t->x, t->expected);
    multiply(&narrow, t->x, t->y);
    ok(!memcmp(t->y, t->expected, y_bytes(t)), "%s, %s: the bits of wide values", t->name,
       set->name);
    ok(restores(t->csr, &wide) && restores(t->csr, &narrow), "%s, %s: values are restored", t->name,
       set->name);
    discard(&wide);
    discard(&narrow);
}

/* A plan of values of f32 has the bits, the coding and the cost of one of the same values in f64,
 * also after an update. */
static void test_singles(const trial *t, const value_set *set)
{
    f32 *singles = zeros((size_t)t->csr->nnz * sizeof(f32));
    spmv_csr csr = *t->csr;
    spmv_layout expected, layout;

    fill(set, t->val, csr.nnz);
    for (i64 k = 0; k < csr.nnz; k++) {
        singles[k] = (f32)t->val[k];
        t->val[k] = singles[k];
    }
    csr.val = singles;
    build(&expected, t->csr, false);
    build_from(&layout, &csr, SPMV_F32, false);
    multiply(&expected, t->x, t->expected);
    multiply(&layout, t->x, t->y);
    bool is_right = !memcmp(t->y, t->expected, y_bytes(t)) && restores(t->csr, &layout) &&
                    layout.cost == expected.cost &&
                    !memcmp(layout.array[CODING].data, expected.array[CODING].data,
                            layout.array[CODING].bytes);
    for (i64 k = 0; k < csr.nnz; k++)
        singles[k] = 3;
    update(&layout, singles);
    is_right = is_right && coded_nnz(&layout, VALUES_EQUAL) == csr.nnz;
    for (i64 k = 0; k < csr.nnz; k++)
        singles[k] = (f32)t->val[k];
    update(&layout, singles);
    multiply(&layout, t->x, t->y);
    ok(is_right && !memcmp(t->y, t->expected, y_bytes(t)) && restores(t->csr, &layout),
       "%s, %s: values of f32 are those of f64", t->name, set->name);
    discard(&expected);
    discard(&layout);
    free(singles);
}

/* One plan that gets all sets, one after another: each is narrower or wider than the one before. */
static void test_updates(const trial *t)
{
    static const int order[] = { 0, 8, 1, 4, 3, 0, 7, 2, 5, 6, 1 };
    spmv_layout updated, fresh;

    fill(&sets[8], t->val, t->csr->nnz);
    build(&updated, t->csr, false);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const value_set *set = &sets[order[i]];
        fill(set, t->val, t->csr->nnz);
        update(&updated, t->val);
        build(&fresh, t->csr, false);
        multiply(&fresh, t->x, t->expected);
        multiply(&updated, t->x, t->y);
        ok(!memcmp(t->y, t->expected, y_bytes(t)) && restores(t->csr, &updated) &&
               coded_nnz(&updated, set->expected) >= t->csr->nnz / 10 * 9,
           "%s: updated to %s: the coding and the bits of a new plan", t->name, set->name);
        discard(&fresh);
    }
    discard(&updated);
}

static void test_matrix(const char *shape, i64 size, i32 kind)
{
    bench_random random = { 3 };
    bench_matrix *made = NULL, *m = NULL;
    spmv_layout layout;
    trial t;

    if (bench_shape_build(bench_shape_find(shape), size, 1, &made) != SPMV_OK ||
        bench_matrix_convert(&made->csr, 0, SPMV_I32, SPMV_F64, &m) != SPMV_OK)
        exit(1);
    bench_matrix_destroy(made);
    t.name = shape;
    t.csr = &m->csr;
    t.val = m->val;
    t.x = zeros((size_t)m->csr.cols * sizeof(real));
    t.y = zeros(y_bytes(&t));
    t.expected = zeros(y_bytes(&t));
    bench_random_fill(&random, BENCH_UNIFORM, SPMV_F64, t.x, (size_t)m->csr.cols);
    build(&layout, t.csr, false);
    const strips_matrix a = strips_view(&layout);
    i64 of_kind = 0;
    i64 padded = 0;
    for (i64 s = 0; s < a.strip_count; s++) {
        of_kind += a.strips[s].kind == kind;
        padded += a.strips[s].is_padded;
    }
    ok(kind < 0 ? a.split_count > 0 : of_kind > 0, "%s has the storage that it is for", shape);
    ok((kind == STRIP_DIAGONALS) == (padded > 0), "%s: only diagonals are padded", shape);
    discard(&layout);
    for (int i = 0; i < SETS; i++) {
        test_set(&t, &sets[i]);
        test_singles(&t, &sets[i]);
    }
    test_updates(&t);
    free(t.x);
    free(t.y);
    free(t.expected);
    bench_matrix_destroy(m);
}

int main(void)
{
    test_matrix("irregular", 20000, STRIP_LANES);
    test_matrix("uniform", 8000, STRIP_LANES);
    test_matrix("poisson-3d", 20000, STRIP_DIAGONALS);
    test_matrix("stencil-27", 8000, STRIP_DIAGONALS);
    test_matrix("blocks", 3000, STRIP_RUNS);
    test_matrix("giant-middle", 200000, -1);
    return tap_done();
}
