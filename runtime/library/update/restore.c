/* restore.c: see restore.h. Allocates nothing. */
#include "runtime/library/update/restore.h"

#include "runtime/base/error.h"
#include "runtime/base/overlap.h"
#include "runtime/core/threads/step_runner.h"

spmv_status spmv_restore_check_outputs(const void *const output[SPMV_CSR_ARRAYS],
                                       const size_t bytes[SPMV_CSR_ARRAYS], spmv_error *err)
{
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        for (int j = 0; j < i; j++)
            if (spmv_do_overlap(output[i], bytes[i], output[j], bytes[j]))
                return spmv_error_set(err, SPMV_ALIASING, SPMV_RESTORE
                                      "two of row_ptr, col_idx and val overlap; expected arrays of "
                                      "%zu, %zu and %zu bytes", bytes[SPMV_ROW_PTR],
                                      bytes[SPMV_COL_IDX], bytes[SPMV_VAL]);
    return SPMV_OK;
}

spmv_status spmv_restore_layout(const spmv_plan *plan, void *row_ptr, int32_t *col_idx, void *val,
                                spmv_error *err)
{
    const spmv_job job = {
        .layout = &plan->core.layout, .row_ptr_out = row_ptr, .col_idx_out = col_idx,
        .val_out = val,
    };
    spmv_step step[SPMV_MAX_STEPS];
    const int32_t count = plan->core.module->ops->restore_steps(&job, step);
    spmv_status status;

    if (count == 0 && row_ptr != NULL)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              SPMV_RESTORE "%.64s keeps no row_ptr; pass NULL for it, its offsets "
                              "are those that the plan was created with", plan->core.module->name);
    if (count == 0)
        return spmv_error_set(err, SPMV_UNSUPPORTED, SPMV_RESTORE "%.64s cannot be converted back",
                              plan->core.module->name);
    status = spmv_steps_run(&job, step, count, &plan->core.threads);
    if (status != SPMV_OK)
        return spmv_error_set(err, status, SPMV_RESTORE "the steps of %.64s: %s",
                              plan->core.module->name, spmv_status_text(status));
    return SPMV_OK;
}
