/* probe.c: see probe.h. */
#include "bench/sweep/probe.h"

#include <stdio.h>
#include <string.h>

#include "runtime/spmv.h"

/* Writes the reason why the device has no usable module: a plan's error. */
static void explain(spmv_device *device, const bench_variant *v, char *reason, size_t bytes)
{
    static const int64_t row_ptr[] = { 0 };      /* valid as 32-bit offsets too */
    static const char call[] = "spmv_plan_create: ";
    const spmv_csr csr = { .row_ptr = row_ptr, .offset_type = SPMV_I32,
                           .value_type = strcmp(v->type, "f32") == 0 ? SPMV_F32 : SPMV_F64 };
    spmv_plan *plan = NULL;
    spmv_error err = { SPMV_OK, "" };

    spmv_plan_create(device, &csr, NULL, &plan, &err);
    spmv_plan_destroy(plan);
    snprintf(reason, bytes, "%s", strncmp(err.text, call, strlen(call)) == 0
                                      ? err.text + strlen(call) : err.text);
}

bool bench_sweep_can_run(const bench_variant *variant, char *reason, size_t bytes)
{
    const spmv_device_options options = { .struct_size = sizeof options, .target = "",
                                          .no_builtin_modules = 1, .device = "cpu" };
    spmv_device *device = NULL;
    spmv_error err = { SPMV_OK, "" };
    bool good = true;

    if (strcmp(variant->target->backend, "c") != 0)
        return true;
    if (spmv_device_open(&options, &device, &err) ||
        spmv_device_load_modules(device, variant->file, &err)) {
        snprintf(reason, bytes, "%s", err.text);
        good = false;
    } else if (spmv_device_module_count(device) == 0) {
        explain(device, variant, reason, bytes);
        good = false;
    }
    spmv_device_close(device);
    return good;
}
