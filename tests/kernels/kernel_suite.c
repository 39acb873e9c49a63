/* kernel_suite.c: tries every property on every module that this machine can run.
 *
 *     kernel_suite [--reduced|--races|--sizes] [MODULES.so]...
 *
 * Without a shared object it takes the modules that are linked into libspmv. --reduced: fewer
 * sizes, for builds that check every access. --races: only what runs on several threads, for builds
 * that check for races. --sizes: only the largest matrices, for addresses of 32 bits. TAP on standard
 * output.
 */
#include <stdio.h>
#include <string.h>

#include "../tap.h"
#include "suite.h"
#include "trap.h"

/* One line a property. */
static void tell(const suite *s)
{
    for (int i = 0; i < PROPERTIES; i++) {
        const property p = (property)i;
        if (!s->skipped[p] && s->checks[p] == 0 &&
            (s->effort == EFFORT_RACES || s->effort == EFFORT_SIZES))
            continue;
        if (s->skipped[p])
            skip("%s: %s: %s", s->module->name, property_text(p), s->skipped[p]);
        else if (!ok(s->failures[p] == 0 && s->checks[p] > 0, "%s: %s", s->module->name,
                     property_text(p)))
            diag("%d of %d checks failed", s->failures[p], s->checks[p]);
    }
}

static void test_module(spmv_device *device, const spmv_module *module, test_effort effort)
{
    suite s = { .module = module, .device = device, .effort = effort,
                .benchmark_only = module->determinism == SPMV_BENCHMARK_ONLY };

    s.bare = bare_create(module);
    if (!ok(s.bare != NULL, "%s: the test has memory", module->name))
        return;
    trap_label(s.label);
    if (effort == EFFORT_FULL || effort == EFFORT_REDUCED) {
        test_shapes(&s);
        test_faults(&s);
        test_isolation(&s);
        test_figures(&s);
    }
    if (effort != EFFORT_RACES)
        test_past_31_bits(&s);
    if (effort != EFFORT_SIZES) {
        test_parallel(&s);
        test_plans(&s);
        test_settings(&s);
    }
    trap_label(NULL);
    tell(&s);
    bare_destroy(s.bare);
}

int main(int argc, char **argv)
{
    spmv_device_options options = { .struct_size = sizeof options };
    spmv_device *device = NULL;
    spmv_error err = { SPMV_OK, "" };
    test_effort effort = EFFORT_FULL;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--reduced") == 0)
            effort = EFFORT_REDUCED;
        else if (strcmp(argv[i], "--races") == 0)
            effort = EFFORT_RACES;
        else if (strcmp(argv[i], "--sizes") == 0)
            effort = EFFORT_SIZES;
        else
            options.no_builtin_modules = 1;
    }
    /* A checker of races needs the signals for itself. */
    if (effort != EFFORT_RACES)
        trap_install();
    if (!ok(spmv_device_open(&options, &device, &err) == SPMV_OK, "opens the device")) {
        diag("%s", err.text);
        return tap_done();
    }
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-' &&
            !ok(spmv_device_load_modules(device, argv[i], &err) == SPMV_OK, "loads %s", argv[i]))
            diag("%s", err.text);
    const size_t count = spmv_device_module_count(device);
    if (count == 0)
        skip("no module that this machine can run");
    for (size_t i = 0; i < count; i++)
        test_module(device, spmv_device_module(device, i), effort);
    /* The two known faults of the authors' code that only a GPU language can have. */
    if (effort == EFFORT_FULL) {
        skip("speculative fault: subgroup code without barriers: C kernels have no work-items");
        skip("EVC-HYB fault: barriers in divergent loops: C kernels have no barriers");
    }
    spmv_device_close(device);
    return tap_done();
}
