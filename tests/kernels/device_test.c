/* device_test.c: every case on a device, through libspmv. Integers must be exact, mixed values
 * within their bounds, and both must have the shim's bits. Each case has one data set, base, alpha,
 * beta and setting; consecutive cases differ in these.
 *
 * Under a memory checker (EFFORT_TINY) each case multiplies once, and its name goes to standard
 * error, where the checker's messages may go as well. With OpenCL, each such case opens the device
 * again: Oclgrind 21.10 identifies buffers by numbers, and reuses the number of a released buffer,
 * with its records, for the next buffer. NVIDIA's checkers identify allocations by address, and
 * opening a device takes long under them, so CUDA opens it once.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/permutation.h"
#include "suite.h"

/* The last pair is seldom tried, since all methods share one kernel for it. */
static const struct {
    double alpha, beta;
} pairs[] = {
    { 0.75, 0.5 }, { 1, 0 }, { -2, 1 }, { 0.75, 0 }, { 1, 0.5 }, { -2, 0 }, { 0, 0.5 },
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

bool test_device_open(suite *s, const char *name)
{
    const spmv_device_options options = { .struct_size = sizeof options, .device = name,
                                          .target = s->module->target };
    spmv_error err = { SPMV_OK, "" };

    if (spmv_device_open(&options, &s->device, &err) == SPMV_OK)
        return true;
    snprintf(s->label, sizeof s->label, "%.120s", err.text);
    return false;
}

bool test_device_reopens(const suite *s, const char *name)
{
    const size_t backend = strcspn(name, ":");

    return s->effort == EFFORT_TINY && backend == strlen("opencl") &&
           strncmp(name, "opencl", backend) == 0;
}

bool test_device_runs(suite *s)
{
    const spmv_module *module = s->module;
    const spmv_csr empty = { .value_type = module->value_type, .offset_type = module->offset_type,
                             .row_ptr = &(int64_t){ 0 } };
    const spmv_plan_options options = { .struct_size = sizeof options, .method = module->method,
                                        .target = module->target };
    spmv_error err = { SPMV_OK, "" };
    spmv_plan *plan = NULL;
    const bool runs = spmv_plan_create(s->device, &empty, &options, &plan, &err) == SPMV_OK;
    const char *reason = strrchr(err.text, ':');

    spmv_plan_destroy(plan);
    if (!runs)
        snprintf(s->label, sizeof s->label, "%.120s", reason ? reason + 2 : err.text);
    return runs || err.status != SPMV_UNSUPPORTED;
}

static spmv_plan *make_plan(suite *s, property p, const test_input *input)
{
    const spmv_module *module = s->module;
    const spmv_plan_options options = { .struct_size = sizeof options, .method = module->method,
                                        .target = module->target, .threads = 2, .full_check = 1,
                                        .settings = s->settings[0] ? s->settings : NULL };
    spmv_error err = { SPMV_OK, "" };
    spmv_plan *plan = NULL;
    const spmv_status status =
        spmv_plan_create(s->device, &input->matrix->csr, &options, &plan, &err);

    if (status == SPMV_UNSUPPORTED)
        s->declined[p]++;
    else
        suite_check(s, p, !status, "%s: spmv_plan_create: %s", input->name, err.text);
    s->taken += !status;
    return plan;
}

static void multiply(suite *s, property p, const test_input *input, const spmv_plan *plan,
                     size_t turn)
{
    const double alpha = pairs[turn % PAIRS].alpha, beta = pairs[turn % PAIRS].beta;
    void *expected = malloc(input->y_bytes + 1), *poison = malloc(input->y_bytes + 1);
    const void *before = beta == 0 ? poison : input->before;

    if (suite_check(s, p, expected && poison, "the test itself has no memory")) {
        test_fill_signalling(s->module->value_type, poison, input->matrix->csr.rows);
        const spmv_status status =
            bench_permuted_execute(plan, alpha, input->x, beta, before, NULL, input->y);
        if (suite_check(s, p, !status, "%s: spmv_execute: %s", input->name,
                        spmv_status_text(status)) &&
            suite_check_result(s, p, input, alpha, beta, before, input->y, p == P_EXACT) &&
            suite_accept(s, P_DEVICE, bare_build(s->bare, &input->matrix->csr, GUARD_AT_END,
                                                 BARE_WHOLE), input->name) &&
            suite_accept(s, P_DEVICE, bare_execute(s->bare, alpha, input->x, beta, before,
                                                   BARE_WHOLE, expected), input->name))
            suite_check(s, P_DEVICE, memcmp(expected, input->y, input->y_bytes) == 0,
                        "%s, alpha %g, beta %g: other bits", input->name, alpha, beta);
    }
    free(expected);
    free(poison);
}

static void try_case(suite *s, const test_case *one, const char *name, size_t turn)
{
    const bench_data data = turn % 2 ? BENCH_MIXED : BENCH_INTEGERS;
    const property p = data == BENCH_INTEGERS ? P_EXACT : P_BOUND;
    const bool is_tiny = s->effort == EFFORT_TINY, reopens = test_device_reopens(s, name);
    spmv_plan *plan = NULL;
    test_input input;

    test_settings_choose(s, turn);
    if (!suite_check(s, p, test_input_create(s->module, one, (int32_t)(turn / 2 % 2), data, &input),
                     "the test itself has no memory"))
        return;
    if (is_tiny && !test_input_is_tiny(&input)) {
        test_input_destroy(&input);
        return;
    }
    if (is_tiny)
        fprintf(stderr, "input: %s%s%s\n", input.name, s->settings[0] ? " " : "", s->settings);
    if (!reopens || suite_check(s, p, test_device_open(s, name), "%s", s->label))
        plan = make_plan(s, p, &input);
    for (size_t i = 0; i < (is_tiny ? 1 : 3) && plan; i++)
        multiply(s, p, &input, plan, turn + i);
    spmv_plan_destroy(plan);
    if (reopens) {
        spmv_device_close(s->device);
        s->device = NULL;
    }
    test_input_destroy(&input);
}

void test_device(suite *s, const char *name)
{
    test_cases cases;

    if (!suite_check(s, P_DEVICE, test_cases_create(s->module, s->effort, &cases),
                     "the test itself has no memory"))
        return;
    if (s->effort == EFFORT_TINY)
        fprintf(stderr, "module: %s\n", s->module->name);
    for (size_t i = 0; i < cases.count; i++)
        if (!s->shape || strcmp(s->shape, cases.item[i].shape->name) == 0)
            try_case(s, &cases.item[i], name, i);
    test_settings_initial(s);
    test_cases_destroy(&cases);
}
