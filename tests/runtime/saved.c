/* saved.c: see saved.h. */
#include "saved.h"

#include "../tap.h"

spmv_plan *saved_create(spmv_device *device, const sample *s, const char *method,
                        const char *target, const char *settings, int threads, int copy)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .method = method,
                                       .target = target, .settings = settings, .threads = threads,
                                       .copy = copy, .savable = 1};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_create(device, &s->csr, &options, &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}

spmv_plan *saved_load(spmv_device *device, const sample *s, int threads, int copy)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .threads = threads,
                                       .copy = copy};
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};

    if (spmv_plan_load(device, &s->csr, &options, "plan", &plan, &err) != SPMV_OK)
        diag("%s", err.text);
    return plan;
}
