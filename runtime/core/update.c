/* update.c: see update.h. Allocates nothing. */
#include "runtime/core/update.h"

#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "runtime/core/shell.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/core/threads/step_runner.h"

#include <inttypes.h>
#include <string.h>

spmv_status spmv_values_check(int64_t count, size_t alignment, const void *val, spmv_error *err)
{
    if (val == NULL && count > 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "val is NULL; expected %" PRId64 " values", count);
    if (!spmv_is_aligned(val, alignment))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "val is at %p; expected a multiple of %zu bytes", val, alignment);
    return SPMV_OK;
}

spmv_status spmv_core_take_values(const spmv_core *plan, spmv_error *err)
{
    spmv_step step[SPMV_MAX_STEPS];
    spmv_status status;
    spmv_job job;

    memset(&job, 0, sizeof job);
    job.layout = &plan->layout;
    status = spmv_steps_run(&job, step, plan->module->ops->update_steps(&plan->layout, step),
                            &plan->threads);
    if (status != SPMV_OK)
        return spmv_error_set(err, status, "the update steps of %.64s: %s", plan->module->name,
                              spmv_status_text(status));
    return SPMV_OK;
}

spmv_status spmv_core_replace_values(spmv_core *plan, const void *val, spmv_error *err)
{
    spmv_csr *csr = &plan->layout.csr;
    const void *before = csr->val;
    spmv_status status;

    if (plan->copy[SPMV_VAL] != NULL)
        spmv_parallel_copy(&plan->threads, plan->copy[SPMV_VAL], val,
                           (size_t)csr->nnz * spmv_value_bytes(csr->value_type));
    else
        csr->val = val;
    status = spmv_core_take_values(plan, err);
    if (status == SPMV_OK)
        status = spmv_plan_send_values(plan, err);
    if ((plan->layout.borrows & SPMV_BORROWS_VAL) == 0)
        csr->val = NULL;
    else if (status != SPMV_OK)
        csr->val = before;
    return status;
}
