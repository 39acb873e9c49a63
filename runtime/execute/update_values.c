/* update_values.c: spmv_plan_update_values. It allocates nothing, except for a plan with the
 * transpose. */
#include "runtime/base/error.h"
#include "runtime/device/device.h"
#include "runtime/execute/transposed.h"
#include "runtime/execute/update.h"

spmv_status spmv_plan_update_values(spmv_plan *plan, const void *val, spmv_error *err)
{
    spmv_status status;

    if (plan == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "spmv_plan_update_values: plan is NULL");
    status = spmv_values_check(&plan->layout.csr, val, err);
    if (status == SPMV_OK)
        status = spmv_check_host_memory(plan->device->filter.backend,
                                        plan->device->filter.backend_state, val, "val", err);
    if (status == SPMV_OK)
        status = plan->transposed != NULL ? spmv_transposed_update(plan, val, err)
                                          : spmv_plan_replace_values(plan, val, err);
    return spmv_error_within(err, "spmv_plan_update_values", status);
}
