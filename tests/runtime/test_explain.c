/* test_explain.c: spmv_plan_explain: the candidates that a choice considered. */
#define _POSIX_C_SOURCE 200809L
#include "sample.h"
#include "toy.h"
#include "toy_sorted.h"

#include "../tap.h"

#include <stddef.h>
#include <string.h>

static spmv_device *device;

static spmv_plan *create(const sample *s, const spmv_plan_options *options)
{
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_create(device, &s->csr, options, &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}

static spmv_candidate candidate(const spmv_plan *plan, size_t index)
{
    spmv_candidate out = {.struct_size = sizeof out};

    if (spmv_plan_explain(plan, index, &out) != SPMV_OK)
        out = (spmv_candidate){0};
    return out;
}

static int is(const spmv_candidate *one, const spmv_module *module, double cost)
{
    return one->module == module && one->why_not == NULL && one->cost == cost;
}

/* The costs are stated in toy.c and toy_sorted.c. */
static void test_order(int32_t rows, const spmv_module *first, const spmv_module *second)
{
    sample *s = sample_create(rows, 10, 0, SPMV_F64, SPMV_I32);
    const double by_rows = (double)(s->csr.rows + 3 * s->csr.nnz);
    const double by_parts = (double)(200 + s->csr.rows + s->csr.nnz);
    spmv_plan *plan = create(s, NULL);
    spmv_plan_info info = {.struct_size = sizeof info};
    const spmv_candidate one = candidate(plan, 0), two = candidate(plan, 1),
                         three = candidate(plan, 2);

    spmv_plan_query(plan, &info);
    ok(spmv_plan_candidate_count(plan) == 3, "%d rows: three methods are candidates", (int)rows);
    ok(info.module == first && is(&one, first, by_rows < by_parts ? by_rows : by_parts) &&
       is(&two, second, by_rows < by_parts ? by_parts : by_rows),
       "the chosen candidate comes first, with the least cost, then the next");
    ok(one.layout_bytes == info.layout_bytes && one.workspace_bytes == info.workspace_bytes &&
       one.borrows == info.borrows, "its sizes and borrows are the plan's");
    ok(is(&three, &toy_sorted_f64_i32, 1e6) && three.layout_bytes > 0 && three.borrows == 0,
       "the most expensive one comes last");
    spmv_plan_destroy(plan);
    sample_destroy(s);
}

/* A method that cannot be chosen comes after more expensive ones. */
static void test_left_out(const sample *s)
{
    const spmv_plan_options named = {.struct_size = sizeof named, .method = "toy_sorted"};

    toy_sorted_always_permutes = 1;
    spmv_plan *plan = create(s, NULL);
    const spmv_candidate last = candidate(plan, 2);
    ok(spmv_plan_candidate_count(plan) == 3 && last.module == &toy_sorted_f64_i32 &&
       last.why_not != NULL && strstr(last.why_not, "options.method must name it") != NULL &&
       last.layout_bytes == 0, "a left-out method comes last, with the reason");
    spmv_plan_destroy(plan);

    plan = create(s, &named);
    const spmv_candidate one = candidate(plan, 0);
    ok(spmv_plan_candidate_count(plan) == 1 && is(&one, &toy_sorted_f64_i32, 1e6),
       "a method that is named is the only candidate, and may permute");
    spmv_plan_destroy(plan);
    toy_sorted_always_permutes = 0;
}

static void test_repeated(const sample *s)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options,
        .choice = "spmv-choice 1 toy_rows_f64_i32 0000000000000001",
    };
    spmv_plan *plan = create(s, &options);
    const spmv_candidate one = candidate(plan, 0);

    ok(spmv_plan_candidate_count(plan) == 1 &&
       is(&one, &toy_rows_f64_i32, (double)(s->csr.rows + 3 * s->csr.nnz)),
       "so is the module that options.choice names");
    spmv_plan_destroy(plan);
}

static void test_arguments(const sample *s)
{
    spmv_plan *plan = create(s, NULL);
    spmv_candidate one = {.struct_size = sizeof one, .cost = -1};
    struct { spmv_candidate known; char later[40]; } newer;
    size_t refused = 0;

    ok(spmv_plan_candidate_count(NULL) == 0 &&
       spmv_plan_explain(NULL, 0, &one) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_explain(plan, 0, NULL) == SPMV_INVALID_ARGUMENT, "null pointers are refused");
    ok(spmv_plan_explain(plan, 3, &one) == SPMV_INVALID_ARGUMENT &&
       spmv_plan_explain(plan, (size_t)-1, &one) == SPMV_INVALID_ARGUMENT && one.cost == -1,
       "nothing is written past the last candidate");
    for (size_t size = 0; size < sizeof one; size++) {
        one.struct_size = size;
        refused += spmv_plan_explain(plan, 0, &one) == SPMV_INVALID_ARGUMENT && one.cost == -1;
    }
    ok(refused >= offsetof(spmv_candidate, borrows) + sizeof one.borrows,
       "a struct_size that is too small is refused");
    memset(&newer, 0x55, sizeof newer);
    newer.known.struct_size = sizeof newer;
    ok(spmv_plan_explain(plan, 0, &newer.known) == SPMV_OK && newer.later[0] == 0 &&
       newer.later[39] == 0 && newer.known.struct_size == sizeof newer,
       "unknown fields of a newer program are zero");
    spmv_plan_destroy(plan);
}

/* Methods that convert the matrix are left out for few expected multiplications, not for many. */
static void test_expected_runs(const sample *s)
{
    const spmv_plan_options once = {.struct_size = sizeof once, .expected_runs = 1};
    const spmv_plan_options named = { .struct_size = sizeof named,
                                      .expected_runs = 1,
                                      .method = "toy_sorted" };
    const spmv_plan_options wrong = {.struct_size = sizeof wrong, .expected_runs = -1};
    spmv_error err = {SPMV_OK, ""};
    spmv_plan *plan = create(s, &once);
    const spmv_candidate last = candidate(plan, 2);
    spmv_plan_info info = {.struct_size = sizeof info};

    ok(last.module == &toy_sorted_f64_i32 && last.why_not != NULL &&
       strstr(last.why_not, "1 expected multiplication would not pay") != NULL,
       "one run: a method that converts the matrix is left out");
    ok(spmv_plan_query(plan, &info) == SPMV_OK &&
           strstr(info.reason, "the cheapest of 2 methods for 1 multi") &&
           strstr(info.reason, candidate(plan, 1).module->method),
       "the reason counts the others, and names the next: %s", info.reason);
    spmv_plan_destroy(plan);
    plan = create(s, &named);
    ok(plan != NULL && candidate(plan, 0).module == &toy_sorted_f64_i32, "unless options name it");
    spmv_plan_destroy(plan);
    plan = create(s, NULL);
    ok(candidate(plan, 2).why_not == NULL && candidate(plan, 2).build_cost == 5e6,
       "many runs: it is a candidate, with the cost of building");
    spmv_plan_destroy(plan);
    ok(spmv_plan_create(device, &s->csr, &wrong, &plan, &err) == SPMV_INVALID_ARGUMENT &&
           strstr(err.text, "expected_runs is -1") != NULL,
       "a negative number is refused: %s", err.text);
}

static void test_measured(const sample *s)
{
    const spmv_plan_options options = { .struct_size = sizeof options,
                                        .measure = 1,
                                        .expected_runs = 50 };
    spmv_plan *plan = create(s, &options), *again = NULL;
    spmv_plan_info info = {.struct_size = sizeof info}, other = {.struct_size = sizeof other};
    spmv_plan_options repeat = {.struct_size = sizeof repeat};
    char choice[SPMV_CHOICE_SIZE];

    spmv_plan_query(plan, &info);
    ok(spmv_plan_candidate_count(plan) == 3 && candidate(plan, 0).module == info.module &&
       candidate(plan, 0).seconds > 0 && strstr(info.reason, " and 50 multiplications of ") != NULL,
       "measured: the fastest comes first, with its time: %s", info.reason);
    ok(candidate(plan, 2).seconds == 0, "a candidate that costs too much is not built");
    ok(spmv_plan_choice(plan, choice, sizeof choice, NULL) == SPMV_OK, "its choice can be written");
    repeat.choice = choice;
    again = create(s, &repeat);
    spmv_plan_query(again, &other);
    ok(other.module == info.module, "and repeated");
    spmv_plan_destroy(again);
    spmv_plan_destroy(plan);
}

int main(void)
{
    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    sample *s = sample_create(10, 10, 0, SPMV_F64, SPMV_I32);

    test_order(10, &toy_fast_f64_i32, &toy_parts_f64_i32);
    test_order(64, &toy_parts_f64_i32, &toy_fast_f64_i32);
    test_left_out(s);
    test_repeated(s);
    test_expected_runs(s);
    test_measured(s);
    test_arguments(s);
    sample_destroy(s);
    spmv_device_close(device);
    return tap_done();
}
