/* build.c: see build.h; also spmv_plan_destroy. */
#include "runtime/core/build.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/core/choice.h"
#include "runtime/core/storage.h"
#include "runtime/core/threads/step_runner.h"

#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
#include "runtime/library/devices/device.h"
#endif
#if !SPMV_BUNDLE
#include "runtime/base/clock.h"
#include "runtime/library/execute/team_size.h"
#include "runtime/library/threads/step_profile.h"
#endif

#include <string.h>

static spmv_status run_build_steps(spmv_plan *plan, spmv_error *err)
{
    const size_t bytes = plan->layout.build_bytes;
    spmv_step step[SPMV_MAX_STEPS];
    spmv_status status;
    spmv_job job;

    memset(&job, 0, sizeof job);
    job.layout = &plan->layout;
    if (bytes > 0 && (job.workspace = spmv_memory_alloc(bytes)) == NULL)
        return spmv_storage_lacks(plan, "scratch for the build", bytes, err);
#if SPMV_BUNDLE
    status = spmv_steps_run(&job, step, plan->module->ops->build_steps(&plan->layout, step),
                            &plan->threads);
#else
    status = spmv_steps_profile(&job, step, plan->module->ops->build_steps(&plan->layout, step),
                                &plan->threads, plan->build_step, &plan->build_steps);
#endif
    spmv_memory_free(job.workspace);
    if (status != SPMV_OK)
        return spmv_error_set(err, status, "the build steps of %.64s: %s", plan->module->name,
                              spmv_status_text(status));
    return SPMV_OK;
}

#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
spmv_status spmv_plan_to_device(const spmv_device *device, spmv_plan *plan, spmv_error *err)
{
    const spmv_module_filter *filter = &device->filter;

    if (plan->module->program == NULL)
        return SPMV_OK;
    plan->backend = filter->backend;
    return filter->backend->plan_create(filter->backend_state, plan->module, &plan->layout,
                                        &plan->threads, &plan->backend_state, err);
}
#endif

#if !SPMV_BUNDLE
/* Gives the plan widened values, unless its module widens them itself. */
static spmv_status widen_values(const spmv_request *request, spmv_plan *plan, spmv_error *err)
{
    spmv_widened *widened = request->widened;
    spmv_status status;

    if (widened == NULL || widened->given == NULL || plan->layout.val_type != 0)
        return SPMV_OK;
    status = spmv_widened_complete(widened, &plan->threads, err);
    plan->layout.csr.val = widened->csr.val;
    return status;
}
#endif

spmv_status spmv_plan_build(const spmv_device *device, const spmv_request *request,
                            const spmv_options *known, spmv_plan *plan, spmv_error *err)
{
    spmv_choice choice;
    spmv_status status = spmv_choice_make(device, request, &choice, err);
#if !SPMV_BUNDLE
    const double begin = spmv_seconds_now();
    spmv_plan_options own = *known;
#endif

    if (status != SPMV_OK)
        return status;
    plan->module = choice.module;
    plan->layout = choice.layout;
    plan->candidates = choice.candidates;
    memcpy(plan->reason, choice.reason, sizeof plan->reason);
#if !SPMV_BUNDLE
    if (known->savable)
        spmv_structure_hash(request->csr, &plan->threads, &plan->structure);
    plan->symmetric = request->symmetric;
    status = widen_values(request, plan, err);
    if (status != SPMV_OK)
        return status;
    /* A transpose, and the whole of a triangle, belong to the plan. */
    if (spmv_needs_conversion(plan->module, request->transposed, request->symmetric)) {
        own.copy = 0;
        known = &own;
    }
#endif

    if ((status = spmv_storage_create(plan, known, err)) != SPMV_OK ||
        (status = run_build_steps(plan, err)) != SPMV_OK)
        return status;
    spmv_storage_forget(plan);
#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
    status = spmv_plan_to_device(device, plan, err);
#endif
#if !SPMV_BUNDLE
    spmv_prepared_fill(&plan->prepared, plan->module, &plan->layout);
    spmv_team_size_begin(plan);
    plan->layout_seconds = spmv_seconds_now() - begin;
    if (spmv_needs_conversion(plan->module, request->transposed, request->symmetric))
        plan->layout_seconds += request->transpose->seconds;
#endif
    return status;
}

void spmv_plan_destroy(spmv_plan *plan)
{
    if (plan == NULL)
        return;
#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
    if (plan->backend != NULL)
        plan->backend->plan_destroy(plan->backend_state);
#endif
    spmv_storage_destroy(plan);
#if !SPMV_BUNDLE
    spmv_transpose_destroy(plan->transposed);
    spmv_widened_destroy(plan->widened);
#endif
    spmv_candidates_destroy(&plan->candidates);
    spmv_memory_free(plan);
}
