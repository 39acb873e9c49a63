/* faults_test.c: known faults of the papers' own code. Each test creates a case in which the fault
 * shows, and compares the result; every method must pass every test. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { MAX_SIZES = 260, TINY_SIZES = 12, BOTH = 2 };

/* ---- pieces -------------------------------------------------------------------------------- */

typedef enum old_y { OLD_INTEGERS, OLD_NAN, OLD_INF } old_y;

/* Whether each size is tried in both bases and in every order of chunks; else sizes alternate. */
static bool is_thorough(const suite *s)
{
    return s->effort != EFFORT_BRIEF && s->effort != EFFORT_TINY;
}

/* One shape at one size: integers are exact, in base 0, 1 or BOTH, each at a side of the guards. */
static void expect_exact_in(suite *s, property p, const char *shape, int64_t size, int32_t bases,
                            double alpha, double beta, old_y old)
{
    const test_case one = { bench_shape_find(shape), size, (uint64_t)size + 17 };
    test_input input;

    for (int32_t base = 0; base < 2; base++) {
        if (size < one.shape->smallest)
            return;
        if (bases != BOTH && base != bases)
            continue;
        if (!test_input_create(s->module, &one, base, BENCH_INTEGERS, &input)) {
            suite_check(s, p, false, "the test itself has no memory");
            return;
        }
        snprintf(s->label, sizeof s->label, "%s", input.name);
        const spmv_csr *csr = &input.matrix->csr;
        if (old != OLD_INTEGERS)
            test_fill(csr->value_type, input.before, csr->rows, old == OLD_NAN ? NAN : INFINITY);
        /* The garbage in the workspace differs between the runs. */
        const guard_side side = base ? GUARD_AT_BEGIN : GUARD_AT_END;
        const int runs = test_input_runs_once(&input, s->effort) ? 1 : is_thorough(s) ? 3 : 2;
        const int first = is_thorough(s) ? 0 : (int)(size % 3);
        bool good = suite_build(s, p, csr, side, BARE_FORWARD, input.name);
        for (int run = 0; run < runs && good; run++)
            good = suite_accept(s, p, bare_execute(s->bare, alpha, input.x, beta, input.before,
                                                   (bare_order)((first + run) % 3 + 1), input.y),
                                input.name) &&
                   suite_check_result(s, p, &input, alpha, beta, input.before, input.y, true);
        test_input_destroy(&input);
    }
}

static void expect_exact(suite *s, property p, const char *shape, int64_t size, double alpha,
                         double beta, old_y old)
{
    expect_exact_in(s, p, shape, size, BOTH, alpha, beta, old);
}

/* The same for one of many sizes. */
static void expect_exact_of_many(suite *s, property p, const char *shape, int64_t size, size_t turn,
                                 double alpha, double beta, old_y old)
{
    expect_exact_in(s, p, shape, size, is_thorough(s) ? BOTH : (int32_t)(turn % 2), alpha, beta,
                    old);
}

/* As expect_exact, at every size where a tile, a chunk or a lane may end. */
static void expect_exact_at_boundaries(suite *s, property p, const char *shape, int64_t limit,
                                       double alpha, double beta, old_y old)
{
    static const int64_t usual[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024 };
    int64_t size[MAX_SIZES];
    const size_t count = test_boundary_sizes(s->module, limit, size, MAX_SIZES);

    /* At the smallest effort each pair of types takes a share; neighbours stay together. */
    const spmv_module *module = s->module;
    const size_t types = 2 * (module->value_type == SPMV_F64) + (module->offset_type == SPMV_I64);
    const size_t stride = s->effort == EFFORT_TINY ? count / TINY_SIZES + 1 : 1;

    for (size_t i = 0; i < count; i++)
        if ((i / 3 + types + (size_t)p) % stride == 0)
            expect_exact_of_many(s, p, shape, size[i], i + (size_t)p, alpha, beta, old);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        expect_exact_of_many(s, p, shape, usual[i], i + types / 2, alpha, beta, old);
}

/* ---- y and the scalars --------------------------------------------------------------------- */

static void accumulates(suite *s, property p)
{
    /* Old values of y would show in the result, and so would results of earlier runs. */
    expect_exact(s, p, "short-rows", 900, 1, 0, OLD_INTEGERS);
    expect_exact(s, p, "giant-middle", 900, 1, 0, OLD_INTEGERS);
    expect_exact(s, p, "ones", 900, 1, 0, OLD_INTEGERS);
}

static void alpha_beta(suite *s, property p)
{
    static const char *const shapes[] = { "short-rows", "giant-middle", "inner-empty", "one-row" };

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        expect_exact(s, p, shapes[i], 700, -2, 0, OLD_INTEGERS);
        expect_exact(s, p, shapes[i], 700, 1, 0.5, OLD_INTEGERS);
        expect_exact(s, p, shapes[i], 700, -2, 0.5, OLD_INTEGERS);
    }
}

static void nan_survives(suite *s, property p)
{
    static const char *const shapes[] = { "giant-first", "giant-middle", "giant-last", "one-row" };

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        expect_exact_at_boundaries(s, p, shapes[i], 5000, 1, 0, OLD_NAN);
        expect_exact(s, p, shapes[i], 20000, 0.75, 0, OLD_INF);
    }
}

static void old_values(suite *s, property p)
{
    expect_exact_at_boundaries(s, p, "lengths-around", 1100, 1, 1, OLD_INTEGERS);
    expect_exact_at_boundaries(s, p, "giant-middle", 5000, 0.75, 0.5, OLD_INTEGERS);
}

/* ---- empty rows and small matrices --------------------------------------------------------- */

static void empty_rows(suite *s, property p)
{
    expect_exact_at_boundaries(s, p, "inner-empty", 3000, 1, 0, OLD_NAN);
    expect_exact(s, p, "inner-empty", 3000, 1, 0.5, OLD_INTEGERS);
    expect_exact(s, p, "one-row-of-many", 3000, 1, 0, OLD_NAN);
    expect_exact_at_boundaries(s, p, "bordered", 2000, 1, 0, OLD_NAN);
    expect_exact_at_boundaries(s, p, "bordered", 2000, -2, 0.5, OLD_INTEGERS);
    expect_exact(s, p, "gap", 3000, 1, 0, OLD_NAN);
    expect_exact(s, p, "gap", 3000, 0.75, 1, OLD_INTEGERS);
}

static void leading_empty(suite *s, property p)
{
    expect_exact_at_boundaries(s, p, "leading-empty", 3000, 1, 0, OLD_NAN);
    expect_exact(s, p, "leading-empty", 3000, 1, 0.5, OLD_INTEGERS);
    expect_exact(s, p, "one-entry-last", 3000, 1, 0, OLD_NAN);
}

static void trailing_empty(suite *s, property p)
{
    expect_exact_at_boundaries(s, p, "trailing-empty", 5000, 1, 0, OLD_NAN);
    expect_exact_at_boundaries(s, p, "trailing-long-empty", 5000, 1, 0.5, OLD_INTEGERS);
}

static void no_nonzeros(suite *s, property p)
{
    static const char *const shapes[] = { "all-empty", "no-rows", "no-columns", "one-row" };

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        expect_exact(s, p, shapes[i], 0, 1, 0, OLD_NAN);
        if (i < 3) {
            expect_exact(s, p, shapes[i], 1, 1, 0, OLD_NAN);
            expect_exact(s, p, shapes[i], 5000, 1, 0, OLD_NAN);
            expect_exact(s, p, shapes[i], 5000, 0.75, 0.5, OLD_INTEGERS);
        }
    }
}

static void small(suite *s, property p)
{
    for (int64_t size = 1; size <= 130; size++) {
        expect_exact_of_many(s, p, "one-row", size, (size_t)size / 2, 1, 0, OLD_NAN);
        expect_exact_of_many(s, p, "ones", size, (size_t)size, 1, 0, OLD_NAN);
    }
    expect_exact_at_boundaries(s, p, "short-rows", 3000, 1, 0, OLD_NAN);
}

static void last_group(suite *s, property p)
{
    expect_exact_at_boundaries(s, p, "ones", 3000, 1, 0, OLD_NAN);
    expect_exact_at_boundaries(s, p, "one-column", 3000, 1, 0.5, OLD_INTEGERS);
    expect_exact_at_boundaries(s, p, "diagonal", 3000, 1, 0, OLD_NAN);
}

static void stale_slot(suite *s, property p)
{
    expect_exact_at_boundaries(s, p, "equal-rows", 1100, 1, 0, OLD_NAN);
    expect_exact_at_boundaries(s, p, "comb", 1100, 1, 1, OLD_INTEGERS);
}

/* ---- order and ownership ------------------------------------------------------------------- */

static void permuted(suite *s, property p)
{
    expect_exact(s, p, "staircase", 150, 1, 0, OLD_NAN);
    expect_exact(s, p, "skewed", 5000, 1, 0, OLD_NAN);
    expect_exact(s, p, "powers-of-two", 1024, 1, 0.5, OLD_INTEGERS);
}

/* The bare runner protects the caller's arrays before the build, and the layout after it. */
static void in_place(suite *s, property p)
{
    expect_exact(s, p, "skewed", 10000, 1, 0, OLD_NAN);
    expect_exact(s, p, "unsorted", 10000, 1, 0, OLD_NAN);
}

static void metadata(suite *s, property p)
{
    expect_exact(s, p, "giant-middle", 20000, 1, 0, OLD_NAN);
    expect_exact(s, p, "skewed", 20000, 1, 0.5, OLD_INTEGERS);
}

static const struct {
    property p;
    void (*test)(suite *s, property p);
} faults[] = {
    { F_ACCUMULATES, accumulates },
    { F_ALPHA_BETA, alpha_beta },
    { F_EMPTY_ROWS, empty_rows },
    { F_LEADING_EMPTY, leading_empty },
    { F_TRAILING_EMPTY, trailing_empty },
    { F_NO_NONZEROS, no_nonzeros },
    { F_SMALL, small },
    { F_IN_PLACE, in_place },
    { F_PERMUTED, permuted },
    { F_NAN_SURVIVES, nan_survives },
    { F_METADATA, metadata },
    { F_LAST_GROUP, last_group },
    { F_STALE_SLOT, stale_slot },
    { F_OLD_VALUES, old_values },
};

void test_faults(suite *s)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        faults[i].test(s, faults[i].p);
}
