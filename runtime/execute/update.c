/* update.c: new values for a plan. Allocates nothing. */
#include "runtime/execute/update.h"

#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "runtime/device/device.h"
#include "runtime/threads/parallel.h"
#include "runtime/threads/step_runner.h"

#include <inttypes.h>

#define UPDATE "spmv_plan_update_values: "

static spmv_status check_values(const spmv_plan *plan, const void *val, spmv_error *err)
{
    const spmv_csr *csr;

    if (plan == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, UPDATE "plan is NULL");
    csr = &plan->layout.csr;
    if (val == NULL && csr->nnz > 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              UPDATE "val is NULL; expected %" PRId64 " values", csr->nnz);
    if (!spmv_is_aligned(val, spmv_value_alignment(csr->value_type)))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, UPDATE
                              "val is at %p; expected a multiple of %zu bytes", val,
                              spmv_value_alignment(csr->value_type));
    return spmv_error_within(err, "spmv_plan_update_values",
                             spmv_check_host_memory(plan->device->filter.backend,
                                                    plan->device->filter.backend_state, val, "val",
                                                    err));
}

spmv_status spmv_plan_take_values(const spmv_plan *plan, spmv_error *err)
{
    const spmv_job job = {.layout = &plan->layout};
    spmv_step step[SPMV_MAX_STEPS];
    const spmv_status status = spmv_steps_run(
        &job, step, plan->module->ops->update_steps(&plan->layout, step), &plan->threads);

    if (status != SPMV_OK)
        return spmv_error_set(err, status, "the update steps of %.64s: %s", plan->module->name,
                              spmv_status_text(status));
    return SPMV_OK;
}

spmv_status spmv_plan_update_values(spmv_plan *plan, const void *val, spmv_error *err)
{
    spmv_status status = check_values(plan, val, err);
    const void *before;
    spmv_csr *csr;

    if (status != SPMV_OK)
        return status;
    csr = &plan->layout.csr;
    before = csr->val;
    if (plan->copy[SPMV_VAL] != NULL)
        spmv_parallel_copy(&plan->threads, plan->copy[SPMV_VAL], val,
                           (size_t)csr->nnz * spmv_value_bytes(csr->value_type));
    else
        csr->val = val;
    status = spmv_plan_take_values(plan, err);
    if (status == SPMV_OK && plan->backend != NULL)
        status = plan->backend->take_values(plan->backend_state, err);
    if ((plan->layout.borrows & SPMV_BORROWS_VAL) == 0)
        csr->val = NULL;
    else if (status != SPMV_OK)
        csr->val = before;
    return spmv_error_within(err, "spmv_plan_update_values", status);
}
