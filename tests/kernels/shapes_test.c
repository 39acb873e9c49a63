/* shapes_test.c: runs every case in the bare runner, in both bases: integers are exact, mixed
 * values are within their bounds. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "symmetrising.h"

typedef struct scalars {
    double alpha, beta;
} scalars;

static const scalars every_pair[] = {
    { 1, 0 }, { 1, 1 }, { 1, 0.5 }, { 0, 0 }, { 0, 1 }, { 0, 0.5 },
    { -2, 0 }, { -2, 1 }, { -2, 0.5 }, { 0.75, 0 }, { 0.75, 1 }, { 0.75, 0.5 },
    { INFINITY, 0 }, { NAN, 0.5 },
};
static const scalars some_pairs[] = {
    { 1, 0 }, { -2, 0.5 }, { 0.75, 1 }, { 0, 0.5 }, { INFINITY, 0.5 },
};

/* At the smallest efforts an input takes TWO of `some_pairs`. Consecutive inputs take others, so
 * each shape is tried with all of them. */
enum { EVERY = sizeof every_pair / sizeof every_pair[0],
       SOME = sizeof some_pairs / sizeof some_pairs[0], TWO = 2 };

static bool has_nan(const test_input *input)
{
    const spmv_csr *csr = &input->matrix->csr;

    for (int64_t r = 0; r < csr->rows; r++)
        if (isnan(bench_value(csr->value_type, input->y, r)))
            return true;
    return false;
}

bool test_has_computed_with_nan(void)
{
#ifdef __clang__
    return false;
#else
    return fetestexcept(FE_INVALID) != 0;
#endif
}

/* Checks one multiplication, then repeats it in another order of chunks. With beta = 0, y holds
 * signalling NaN before. */
static bool try_pair(suite *s, const test_input *input, scalars pair, bare_order order, bool exact)
{
    const spmv_csr *csr = &input->matrix->csr;
    const property p = exact ? P_EXACT : P_BOUND;
    void *poison = malloc(input->y_bytes + 1), *again = malloc(input->y_bytes + 1);
    const void *before = pair.beta == 0 ? poison : input->before;
    bool good = poison && again;

    if (good) {
        test_fill_signalling(csr->value_type, poison, csr->rows);
        feclearexcept(FE_INVALID);
        good = suite_accept(s, p, bare_execute(s->bare, pair.alpha, input->x, pair.beta, before,
                                               order, input->y), input->name) &&
               (pair.beta != 0 || !isfinite(pair.alpha) ||
                suite_check(s, P_BETA_ZERO,
                            !has_nan(input) && !(exact && test_has_computed_with_nan()),
                            "%s, alpha %g: y was read", input->name, pair.alpha)) &&
               suite_check_result(s, p, input, pair.alpha, pair.beta, before, input->y, exact);
    }
    if (good) {
        const bare_order other = (bare_order)((order + 1) % BARE_ORDERS);
        good = suite_accept(s, P_ORDER, bare_execute(s->bare, pair.alpha, input->x, pair.beta,
                                                     before, other, again), input->name) &&
               suite_check(s, P_ORDER, memcmp(again, input->y, input->y_bytes) == 0,
                           "%s, alpha %g, beta %g: other bits in order %d than in %d", input->name,
                           pair.alpha, pair.beta, (int)other, (int)order);
    }
    free(poison);
    free(again);
    return good;
}

/* alpha = 0 with a NaN in every entry of A and x, which are also not readable. */
static void try_alpha_zero(suite *s, const test_input *input)
{
    const spmv_csr *csr = &input->matrix->csr;
    void *nan_x = malloc((size_t)csr->cols * bench_value_bytes(csr->value_type) + 1);

    if (nan_x) {
        test_fill(csr->value_type, nan_x, csr->cols, NAN);
        if (suite_accept(s, P_ALPHA_ZERO, bare_execute(s->bare, 0, nan_x, 0.5, input->before,
                                                       BARE_FORWARD, input->y), input->name))
            suite_check_result(s, P_ALPHA_ZERO, input, 0, 0.5, input->before, input->y, true);
    }
    free(nan_x);
}

/* Converts the layout back to CSR, and updates it with other values. */
static void try_conversions(suite *s, const test_input *input, size_t turn)
{
    const spmv_csr *csr = &input->matrix->csr;
    const size_t bytes = bench_value_bytes(csr->value_type);
    const size_t val_bytes = (size_t)csr->nnz * bytes;
    const size_t col_bytes = (size_t)csr->nnz * sizeof(int32_t);
    int32_t *col_idx = malloc(col_bytes + 1);
    void *val = malloc(val_bytes + 1), *fresh = malloc(input->y_bytes + 1);
    const bare_order order = (bare_order)(turn % BARE_ORDERS);
    bench_random random = { turn + 7 };

    if (!col_idx || !val || !fresh)
        goto done;
    /* Each turn restores both arrays or one of them. */
    memcpy(col_idx, csr->col_idx, col_bytes);
    memcpy(val, csr->val, val_bytes);
    if (suite_accept(s, P_RESTORE, bare_restore(s->bare, order, turn % 3 == 1 ? NULL : col_idx,
                                                turn % 3 == 2 ? NULL : val), input->name))
        suite_check(s, P_RESTORE, memcmp(col_idx, csr->col_idx, col_bytes) == 0 &&
                    memcmp(val, csr->val, val_bytes) == 0, "%s: columns or values differ",
                    input->name);

    test_random_fill(&random, BENCH_MIXED, csr->value_type, val, csr->nnz);
    test_mirror_values(s->module, csr, val);
    spmv_csr changed = *csr;
    changed.val = val;
    if (suite_accept(s, P_UPDATE, bare_update(s->bare, val, order), input->name) &&
        suite_accept(s, P_UPDATE, bare_execute(s->bare, 1, input->x, 0, NULL, order, input->y),
                     input->name) &&
        suite_accept(s, P_UPDATE, bare_build(s->bare, &changed, GUARD_AT_END, BARE_WHOLE),
                     input->name) &&
        suite_accept(s, P_UPDATE, bare_execute(s->bare, 1, input->x, 0, NULL, order, fresh),
                     input->name))
        suite_check(s, P_UPDATE, memcmp(fresh, input->y, input->y_bytes) == 0, "%s: other bits",
                    input->name);
done:
    free(col_idx);
    free(val);
    free(fresh);
}

/* Tries an input in its current base, with its current data. */
static void try_input(suite *s, test_input *input, size_t turn)
{
    const spmv_csr *csr = &input->matrix->csr;
    const bool exact = input->data == BENCH_INTEGERS;
    const bool all_pairs = exact && csr->base == 0 && s->effort == EFFORT_FULL;
    const scalars *pairs = all_pairs ? every_pair : some_pairs;
    const size_t all = all_pairs ? EVERY : SOME;
    const bool is_small = s->effort == EFFORT_BRIEF || s->effort == EFFORT_TINY;
    const size_t first = is_small ? TWO * turn + (exact ? 0 : 3) : 0;
    const bool is_once = test_input_runs_once(input, s->effort);
    const size_t count = is_once ? 1 : is_small ? TWO : all;
    const guard_side side = turn % 2 ? GUARD_AT_END : GUARD_AT_BEGIN;
    const bare_order order = (bare_order)(turn % BARE_ORDERS);

    if (is_once && (!exact || csr->base > 0))
        return;
    snprintf(s->label, sizeof s->label, "%s", input->name);
    bool good = suite_build(s, exact ? P_EXACT : P_BOUND, csr, side, order, input->name);
    for (size_t i = 0; i < count && good; i++)
        good = try_pair(s, input, pairs[(first + i) % all],
                        (bare_order)((turn + i) % BARE_ORDERS), exact);
    /* No other data and no other base could be read. */
    if (good && exact && csr->base == 0)
        try_alpha_zero(s, input);
    if (good && !exact && !is_once)
        test_columns(s, input, turn);
    if (good && !exact)
        try_conversions(s, input, turn);
}

/* The inputs share one matrix. Those that lie at one side of the guards follow each other, since
 * guards take long to change it. */
static void try_case(suite *s, const test_case *one, size_t turn)
{
    test_input input;
    bool made = test_input_create(s->module, one, 1, BENCH_INTEGERS, &input);

    if (made) {
        try_input(s, &input, turn + 1);
        made = test_input_change(&input, 0, BENCH_INTEGERS);
    }
    if (made) {
        try_input(s, &input, turn);
        made = test_input_change(&input, (int32_t)(turn % 2), BENCH_MIXED);
    }
    if (made)
        try_input(s, &input, turn);
    else
        suite_check(s, P_CONTRACT, false, "the test itself has no memory");
    test_input_destroy(&input);
}

void test_shapes(suite *s)
{
    test_cases cases;

    if (!test_cases_create(s->module, s->effort, &cases)) {
        suite_check(s, P_CONTRACT, false, "the test itself has no memory");
        return;
    }
    for (size_t i = 0; i < cases.count; i++)
        try_case(s, &cases.item[i], i);
    test_cases_destroy(&cases);
}
