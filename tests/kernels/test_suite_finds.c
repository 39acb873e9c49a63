/* test_suite_finds.c: tests that each property of the suite finds its fault, at the fewest sizes or
 * at more, and that no property rejects a method without faults. */
#include "../tap.h"
#include "faulty.h"
#include "trap.h"

static suite run(spmv_device *device, const faulty *one, test_effort effort, bool by_bare,
                 bool by_plans)
{
    suite s = { .module = one->module, .device = device, .effort = effort,
                .quiet = by_bare != by_plans };

    s.bare = bare_create(one->module);
    if (!s.bare)
        return s;
    if (by_bare) {
        test_shapes(&s);
        test_faults(&s);
        test_isolation(&s);
        /* These tests take seconds for this method, so they run only for faults that need them. */
        if (one->finds == F_31_BITS || by_plans)
            test_past_31_bits(&s);
    }
    if (by_plans) {
        test_parallel(&s);
        test_plans(&s);
    }
    if (one->finds == P_SETTINGS || (by_bare && by_plans))
        test_settings(&s);
    bare_destroy(s.bare);
    s.bare = NULL;
    return s;
}

static bool finds(spmv_device *device, const faulty *one, test_effort effort)
{
    return run(device, one, effort, !one->by_plans, one->by_plans).failures[one->finds] > 0;
}

int main(void)
{
    const spmv_device_options options = { .struct_size = sizeof options, .no_builtin_modules = 1 };
    size_t count;
    const faulty *list = faulty_modules(&count);
    spmv_device *device = NULL;
    spmv_error err = { SPMV_OK, "" };

    trap_install();
    if (!ok(!spmv_device_open(&options, &device, &err) &&
            !spmv_device_add_modules(device, faulty_table, &err), "takes the modules"))
        diag("%s", err.text);
    const suite good = run(device, &list[0], EFFORT_BRIEF, true, true);
    for (int p = 0; p < PROPERTIES; p++) {
        if (p == P_DEVICE || p == P_SPECULATES)
            continue;            /* test_planted.py tries faults of programs and of speculative */
        ok(good.failures[p] == 0 && good.checks[p] > 0, "without a fault: %s",
           property_text((property)p));
    }
    for (size_t i = 1; i < count; i++) {
        if (list[i].finds == F_31_BITS && sizeof(size_t) < 8) {
            skip("%s: such a matrix needs 64-bit addresses", list[i].fault);
            continue;
        }
        ok(finds(device, &list[i], EFFORT_TINY) || finds(device, &list[i], EFFORT_REDUCED),
           "%s: found by: %s", list[i].fault, property_text(list[i].finds));
    }
    spmv_device_close(device);
    return tap_done();
}
