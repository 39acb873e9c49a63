/* build.c: see build.h; also what core/shell.h says of building, and spmv_plan_destroy. */
#include "runtime/library/create/build.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/core/build.h"
#include "runtime/core/shell.h"
#include "runtime/core/storage.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/library/create/conversions.h"
#include "runtime/library/devices/device.h"
#include "runtime/library/execute/team_size.h"
#include "runtime/library/threads/process_lock.h"
#include "runtime/library/threads/step_profile.h"

/* ---- memory -------------------------------------------------------------------------------- */

void *spmv_plan_alloc(const spmv_core *core, size_t bytes)
{
    const spmv_module_filter *filter = &spmv_plan_of_core(core)->device->filter;
    void *memory;

    if (core->module->program == NULL)
        return spmv_memory_alloc(bytes);
    return spmv_backend_alloc(filter->backend, filter->backend_state, core->module, bytes,
                              &memory) == SPMV_OK ? memory : NULL;
}

void spmv_plan_release(const spmv_core *core, void *memory)
{
    const spmv_module_filter *filter = &spmv_plan_of_core(core)->device->filter;

    spmv_backend_free(filter->backend, filter->backend_state, memory);
}

/* ---- building ------------------------------------------------------------------------------ */

/* A method need not write every byte, and uninitialised bytes must not reach a file. */
spmv_status spmv_plan_run_build(spmv_core *core, const spmv_job *job, const spmv_step *step,
                                int32_t count)
{
    spmv_plan *plan = spmv_plan_of_core(core);

    for (int32_t i = 0; plan->savable && i < core->layout.array_count; i++)
        spmv_parallel_zero(&core->threads, core->layout.array[i].data,
                           core->layout.array[i].bytes);
    return spmv_steps_profile(job, step, count, &core->threads, plan->build_step,
                              &plan->build_steps);
}

/* Gives the plan widened values, unless its module widens them itself. */
static spmv_status widen_values(spmv_plan *plan, spmv_error *err)
{
    spmv_widened *widened = plan->making->widened;
    spmv_status status;

    if (widened == NULL || widened->given == NULL || plan->core.layout.val_type != 0)
        return SPMV_OK;
    status = spmv_widened_complete(widened, &plan->core.threads, err);
    plan->core.layout.csr.val = widened->csr.val;
    return status;
}

static spmv_status create_scratch(spmv_plan *plan, spmv_error *err)
{
    plan->scratch = (spmv_scratch *)spmv_memory_alloc_zeroed(sizeof *plan->scratch);
    return plan->scratch != NULL && spmv_forks_count()
               ? SPMV_OK
               : spmv_storage_lacks(&plan->core, "the workspace's lock", sizeof *plan->scratch,
                                    err);
}

spmv_status spmv_plan_finish(spmv_plan *plan, spmv_error *err)
{
    const spmv_module_filter *filter = &plan->device->filter;
    spmv_core *core = &plan->core;
    spmv_status status = create_scratch(plan, err);

    if (status == SPMV_OK && core->module->program != NULL) {
        plan->backend = filter->backend;
        status = filter->backend->plan_create(filter->backend_state, core->module, &core->layout,
                                              &core->threads, &plan->backend_state, err);
    }
    if (status != SPMV_OK)
        return status;
    spmv_prepared_fill(&plan->prepared, core->module, &core->layout);
    spmv_team_size_begin(plan);
    return SPMV_OK;
}

/* Takes back what spmv_plan_finish made. */
static void unfinish(spmv_plan *plan)
{
    if (plan->backend != NULL)
        plan->backend->plan_destroy(plan->backend_state);
    plan->backend = NULL;
    plan->backend_state = NULL;
    if (plan->scratch != NULL) {
        spmv_memory_free(plan->scratch->columns_memory);
        spmv_shares_destroy(plan->scratch->shares);
    }
    spmv_memory_free(plan->scratch);
    plan->scratch = NULL;
}

/* Arrays of a converted matrix become the plan's, so it copies none. */
spmv_status spmv_plan_fill(const spmv_request *request, spmv_core *core, spmv_error *err)
{
    spmv_plan *plan = spmv_plan_of_core(core);
    const spmv_form *form = spmv_form_of(request, core->module);
    const int is_converted = (form->owns & SPMV_BORROWS_ROW_PTR) != 0;
    const double begin = spmv_seconds_now();
    spmv_status status;

    if (plan->savable)
        spmv_structure_hash(request->csr, &core->threads, &plan->structure);
    if ((status = widen_values(plan, err)) == SPMV_OK &&
        (status = spmv_core_build(core, request->copy && !is_converted, err)) == SPMV_OK)
        status = spmv_plan_finish(plan, err);
    if (status != SPMV_OK)
        unfinish(plan);
    plan->layout_seconds = spmv_seconds_now() - begin;
    if (is_converted)
        plan->layout_seconds += plan->making->transposed->seconds;
    return status;
}

void spmv_plan_destroy(spmv_plan *plan)
{
    if (plan == NULL)
        return;
    unfinish(plan);
    spmv_core_clear(&plan->core);
    spmv_transpose_destroy(plan->transposed);
    spmv_widened_destroy(plan->widened);
    spmv_candidates_destroy(&plan->candidates);
    spmv_memory_free(plan);
}

spmv_status spmv_plan_send_values(const spmv_core *core, spmv_error *err)
{
    const spmv_plan *plan = spmv_plan_of_core(core);

    return plan->backend != NULL ? plan->backend->take_values(plan->backend_state, err) : SPMV_OK;
}
