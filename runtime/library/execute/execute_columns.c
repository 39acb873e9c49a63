/* execute_columns.c: spmv_execute_columns. */
#include "runtime/base/memory.h"
#include "runtime/core/columns.h"
#include "runtime/library/devices/device.h"
#include "runtime/library/execute/scratch.h"

size_t spmv_plan_columns_workspace_size(const spmv_plan *plan, spmv_order order, int32_t columns)
{
    return plan != NULL && columns > 0 ? spmv_columns_workspace_size(&plan->core, order, columns)
                                       : 0;
}

/* Whether the host can read the vectors that it copies for a device. */
static spmv_status check_copied(const spmv_columns *run)
{
    const spmv_plan *plan = spmv_plan_of_core(run->plan);
    const spmv_module_filter *filter = &plan->device->filter;
    spmv_status status = SPMV_OK;

    if (plan->backend == NULL)
        return SPMV_OK;
    if (run->x_bytes > 0 && run->job.alpha != 0)
        status = spmv_check_host_memory(filter->backend, filter->backend_state, run->x.data, "x",
                                        NULL);
    if (run->y_bytes > 0 && status == SPMV_OK)
        status = spmv_check_host_memory(filter->backend, filter->backend_state, run->y.data, "y",
                                        NULL);
    return status;
}

/* Multiplies in the plan's own workspace, which grows as needed. */
static spmv_status multiply_in_own(const spmv_columns *run)
{
    spmv_scratch *scratch = spmv_plan_of_core(run->plan)->scratch;
    spmv_status status = SPMV_OK;

    if (!spmv_scratch_take(scratch))
        return SPMV_BUSY;
    if (scratch->columns_bytes < run->workspace_bytes) {
        spmv_memory_free(scratch->columns_memory);
        scratch->columns_memory = spmv_memory_alloc(run->workspace_bytes);
        scratch->columns_bytes = scratch->columns_memory != NULL ? run->workspace_bytes : 0;
        status = scratch->columns_memory != NULL ? SPMV_OK : SPMV_OUT_OF_MEMORY;
    }
    if (status == SPMV_OK)
        status = spmv_columns_multiply(run, scratch->columns_memory);
    spmv_scratch_give_back(scratch);
    return status;
}

spmv_status spmv_execute_columns(const spmv_plan *plan, spmv_order order, int32_t columns,
                                 double alpha, const void *x, int64_t ldx, double beta, void *y,
                                 int64_t ldy, void *workspace)
{
    const spmv_columns_arguments arguments = {order, columns, alpha, x, ldx, beta, y, ldy};
    spmv_columns run;
    spmv_status status;

    if (plan == NULL)
        return SPMV_INVALID_ARGUMENT;
    status = spmv_columns_begin(&plan->core, &arguments, &run);
    if (status == SPMV_OK)
        status = spmv_columns_check_workspace(&run, workspace);
    if (status == SPMV_OK)
        status = check_copied(&run);
    if (status != SPMV_OK)
        return status;
    return workspace != NULL || run.workspace_bytes == 0 ? spmv_columns_multiply(&run, workspace)
                                                         : multiply_in_own(&run);
}
