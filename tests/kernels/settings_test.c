/* settings_test.c: tests each setting of a module at its least and at its greatest value, with all
 * others at their initial values. An end that is the initial value is left out, since other tests
 * try it. Results must be right, with the bits of each row at the initial settings. */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static int count_failures(const suite *s)
{
    int failures = 0;

    for (int p = 0; p < PROPERTIES; p++)
        failures += s->failures[p];
    return failures;
}

void test_settings_initial(suite *s)
{
    const spmv_method_ops *ops = s->module->ops;

    for (int32_t i = 0; i < ops->setting_count; i++)
        s->setting[i] = ops->settings[i].initial;
    s->settings[0] = '\0';
    bare_set(s->bare, s->setting);
}

static const struct {
    const char *shape;
    int64_t size;
} inputs[] = {
    { "short-rows", 6000 }, { "comb", 600 }, { "skewed", 6000 }, { "leading-empty", 3000 },
    { "remainders", 1000 },
};

/* Multiplies with the current settings. */
static bool multiply(suite *s, const test_input *input, double beta, void *y)
{
    return suite_build(s, P_SETTINGS, &input->matrix->csr, GUARD_AT_END, BARE_FORWARD,
                       input->name) &&
           suite_accept(s, P_SETTINGS, bare_execute(s->bare, 0.7, input->x, beta, input->before,
                                                    BARE_FORWARD, y), input->name);
}

/* Compares each row with its result at the initial settings. are_single: f32 holds the values, so a
 * kernel may convert them, but nothing that the build left as it was. */
static void compare_rows(suite *s, const test_input *input, double beta, bool are_single)
{
    int64_t tried[SPMV_MAX_SETTINGS], initial[SPMV_MAX_SETTINGS] = { 0 };
    const spmv_method_ops *ops = s->module->ops;
    void *with = malloc(input->y_bytes + 1);

    memcpy(tried, s->setting, sizeof tried);
    for (int32_t i = 0; i < ops->setting_count; i++)
        initial[i] = ops->settings[i].initial;
    if (suite_check(s, P_SETTINGS, with != NULL, "the test itself has no memory") &&
        multiply(s, input, beta, with)) {
        bare_set(s->bare, initial);
        feclearexcept(FE_INVALID);
        if (multiply(s, input, beta, input->y) &&
            suite_check(s, P_SETTINGS, !are_single || !test_has_computed_with_nan(),
                        "%s: a kernel converts what is no value", input->name))
            suite_check(s, P_SETTINGS, memcmp(with, input->y, input->y_bytes) == 0,
                        "%s, beta %g, %s: other bits than without the setting", input->name, beta,
                        s->settings);
        bare_set(s->bare, tried);
    }
    free(with);
}

/* Values that a method may store otherwise than as they are: all equal, few distinct ones, some
 * more, values that f32 holds, and values whose bits are easily lost. */
enum { VALUES_AS_MADE, ALL_EQUAL, FEW, MANY, SINGLE, PECULIAR, VALUE_SETS };

static void change_values(test_input *input, int set, bench_random *random)
{
    static const int distinct[VALUE_SETS] = { 0, 1, 4, 200, 1 << 20, 7 };
    spmv_csr *csr = &input->matrix->csr;

    for (int64_t k = 0; set != VALUES_AS_MADE && k < csr->nnz; k++) {
        const double n = (double)bench_random_below(random, distinct[set]) + 1;
        const double peculiar[] = { -0.0, 0.0, INFINITY, -NAN, 5e-324, 1e-40, 0.1 };
        const double value = set == PECULIAR ? peculiar[(int)n - 1] : set == SINGLE ? n : n / 3;
        test_set_value(csr->value_type, input->matrix->val, k, value);
    }
    if (set == PECULIAR && csr->nnz > 0)
        test_fill_signalling(csr->value_type, input->matrix->val, 1);
}

/* At the smallest effort each input has one set of values. */
static void try_bits(suite *s)
{
    bench_random random = { 5 };

    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const test_case one = { bench_shape_find(inputs[i].shape), inputs[i].size, i + 77 };
        test_input input;
        if (!suite_check(s, P_SETTINGS, test_input_create(s->module, &one, 0, BENCH_MIXED, &input),
                         "the test itself has no memory"))
            continue;
        for (int set = 0; set < VALUE_SETS; set++) {
            if (s->effort == EFFORT_TINY && set != (int)i)
                continue;
            change_values(&input, set, &random);
            compare_rows(s, &input, 0.5, set == SINGLE);
            compare_rows(s, &input, 0, set == SINGLE);
        }
        test_input_destroy(&input);
    }
}

/* At the smallest efforts every shape is tried once for all settings, which differ from case to
 * case; else every shape is tried with each end of each setting. */
static bool varies_settings(test_effort effort)
{
    return effort == EFFORT_BRIEF || effort == EFFORT_TINY;
}

static void try_value(suite *s, int32_t index, int64_t value)
{
    const spmv_setting *setting = &s->module->ops->settings[index];
    const test_effort effort = s->effort;
    const int failures = count_failures(s);

    test_settings_initial(s);
    s->setting[index] = value;
    snprintf(s->settings, sizeof s->settings, "%s=%" PRId64, setting->name, value);
    bare_set(s->bare, s->setting);
    if (effort != EFFORT_RACES) {
        s->effort = effort == EFFORT_FULL ? EFFORT_REDUCED
                  : effort == EFFORT_TINY ? EFFORT_TINY : EFFORT_BRIEF;
        if (!varies_settings(effort))
            test_shapes(s);
        test_isolation(s);
        try_bits(s);
    }
    if (s->device) {
        test_parallel(s);
        test_plans(s);
    }
    suite_check(s, P_SETTINGS, count_failures(s) == failures, "other properties failed, see above");
    s->effort = effort;
    test_settings_initial(s);
}

void test_settings_choose(suite *s, size_t turn)
{
    const spmv_method_ops *ops = s->module->ops;

    test_settings_initial(s);
    if (ops->setting_count == 0 || turn % 3 == 0)
        return;
    const int32_t index = (int32_t)(turn / 3 % (size_t)ops->setting_count);
    const spmv_setting *setting = &ops->settings[index];
    s->setting[index] = turn % 3 == 1 ? setting->least : setting->most;
    snprintf(s->settings, sizeof s->settings, "%s=%" PRId64, setting->name, s->setting[index]);
    bare_set(s->bare, s->setting);
}

void test_settings(suite *s)
{
    const spmv_method_ops *ops = s->module->ops;

    for (int32_t i = 0; i < ops->setting_count; i++) {
        const spmv_setting *setting = &ops->settings[i];

        if (setting->least != setting->initial)
            try_value(s, i, setting->least);
        if (setting->most != setting->initial && setting->most != setting->least)
            try_value(s, i, setting->most);
    }
    if (varies_settings(s->effort) && ops->setting_count > 0)
        test_once(s);
}
