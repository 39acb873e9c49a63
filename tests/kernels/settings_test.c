/* settings_test.c: each setting of a module at its least and at its most, the others as they are at
 * first. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

static int count_failures(const suite *s)
{
    int failures = 0;

    for (int p = 0; p < PROPERTIES; p++)
        failures += s->failures[p];
    return failures;
}

static void take_initial(suite *s)
{
    const spmv_method_ops *ops = s->module->ops;

    for (int32_t i = 0; i < ops->setting_count; i++)
        s->setting[i] = ops->settings[i].initial;
    s->settings[0] = '\0';
    bare_set(s->bare, s->setting);
}

static void try_value(suite *s, int32_t index, int64_t value)
{
    const spmv_setting *setting = &s->module->ops->settings[index];
    const test_effort effort = s->effort;
    const int failures = count_failures(s);

    take_initial(s);
    s->setting[index] = value;
    snprintf(s->settings, sizeof s->settings, "%s=%" PRId64, setting->name, value);
    bare_set(s->bare, s->setting);
    if (effort != EFFORT_RACES) {
        s->effort = EFFORT_REDUCED;
        test_shapes(s);
        test_isolation(s);
    }
    test_parallel(s);
    test_plans(s);
    suite_check(s, P_SETTINGS, count_failures(s) == failures, "failures that are told above");
    s->effort = effort;
    take_initial(s);
}

void test_settings(suite *s)
{
    const spmv_method_ops *ops = s->module->ops;

    if (ops->setting_count == 0)
        s->skipped[P_SETTINGS] = "it has no settings";
    for (int32_t i = 0; i < ops->setting_count; i++) {
        try_value(s, i, ops->settings[i].least);
        if (ops->settings[i].most != ops->settings[i].least)
            try_value(s, i, ops->settings[i].most);
    }
}
