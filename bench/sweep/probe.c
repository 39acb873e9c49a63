/* probe.c: see probe.h. */
#include "bench/sweep/probe.h"

#include <string.h>

#include "runtime/spmv.h"

/* Sets error to the reason why the device has no usable module: a plan's error. */
static void explain(spmv_device *device, const bench_variant *v, spmv_error *error)
{
    static const int64_t row_ptr[] = { 0 };      /* valid as 32-bit offsets too */
    static const char call[] = "spmv_plan_create: ";
    const spmv_csr csr = { .row_ptr = row_ptr, .offset_type = SPMV_I32,
                           .value_type = strcmp(v->type, "f32") == 0 ? SPMV_F32 : SPMV_F64 };
    spmv_plan *plan = NULL;

    spmv_plan_create(device, &csr, NULL, &plan, error);
    spmv_plan_destroy(plan);
    if (strncmp(error->text, call, strlen(call)) == 0)
        memmove(error->text, error->text + strlen(call), strlen(error->text + strlen(call)) + 1);
}

bool bench_sweep_can_run(const bench_variant *variant, spmv_error *error)
{
    const spmv_device_options options = { .struct_size = sizeof options, .target = "",
                                          .no_builtin_modules = 1, .device = "cpu" };
    spmv_device *device = NULL;

    if (strcmp(variant->target->backend, "c") != 0)
        return true;
    bool good = !spmv_device_open(&options, &device, error) &&
                !spmv_device_load_modules(device, variant->file, error);
    if (good && spmv_device_module_count(device) == 0) {
        explain(device, variant, error);
        good = false;
    }
    spmv_device_close(device);
    return good;
}
