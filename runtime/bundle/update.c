/* update.c: new values for a matrix of a bundle, and queries. */
#include "runtime/bundle/update.h"

#include "runtime/base/error.h"
#include "runtime/bundle/matrix.h"
#include "runtime/core/update.h"

#if SPMV_BUNDLE_DEVICE
#include "runtime/core/job.h"
#include "runtime/device/launch_list.h"
#endif

/* ---- new values ---------------------------------------------------------------------------- */

static spmv_status update_plan(spmv_matrix *matrix, spmv_value_type value_type, const void *val,
                               spmv_error *error)
{
    spmv_core *plan = spmv_plan_of(matrix);
    spmv_status status;

    if (plan == NULL)
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT, "matrix is NULL");
    if (plan->layout.csr.value_type != value_type)
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT,
                              "the matrix has values of the other type, f%d; call its function",
                              (int)plan->layout.csr.value_type);
    status = spmv_values_check(plan->layout.csr.nnz, spmv_value_alignment(value_type), val, error);
    return status != SPMV_OK ? status : spmv_core_replace_values(plan, val, error);
}

#if SPMV_BUNDLE_F32
spmv_status spmv_matrix_update_f32(spmv_matrix *matrix, const float *val, spmv_error *error)
{
    return spmv_error_within(error, "spmv_matrix_update_f32",
                             update_plan(matrix, SPMV_F32, val, error));
}
#endif

#if SPMV_BUNDLE_F64
spmv_status spmv_matrix_update_f64(spmv_matrix *matrix, const double *val, spmv_error *error)
{
    return spmv_error_within(error, "spmv_matrix_update_f64",
                             update_plan(matrix, SPMV_F64, val, error));
}
#endif

/* ---- queries ------------------------------------------------------------------------------- */

#if SPMV_BUNDLE_DEVICE
/* The name of the first step for the CPU in a multiplication. NULL: none. */
static const char *host_step_of(const spmv_core *plan)
{
    const spmv_job job = spmv_job_of(&plan->layout, 1, 0);
    const spmv_step *step = NULL;
    spmv_launch_list list;

    if (spmv_launch_list_make(plan->module, &job, &list) == SPMV_OK)
        step = spmv_launch_list_host_step(&list);
    return step != NULL ? step->name : NULL;
}
#endif

spmv_status spmv_matrix_query(const spmv_matrix *matrix, spmv_matrix_info *info)
{
    const spmv_core *plan = spmv_plan_of(matrix);

    if (plan == NULL || info == NULL)
        return SPMV_INVALID_ARGUMENT;
    info->method = plan->module->method;
    info->target = plan->module->target;
    info->rows = plan->layout.csr.rows;
    info->cols = plan->layout.csr.cols;
    info->nnz = plan->layout.csr.nnz;
#if SPMV_BUNDLE_STATIC
    info->bytes = plan->layout_bytes;
#else
    info->reason = matrix->reason;
#if SPMV_BUNDLE_DEVICE
    info->host_step = host_step_of(plan);
#endif
    info->bytes = sizeof *matrix + plan->layout_bytes + plan->layout.workspace_bytes;
#endif
    info->workspace_bytes = plan->layout.workspace_bytes;
    info->threads = plan->threads.count;
    info->borrows_row_ptr = (plan->layout.borrows & SPMV_BORROWS_ROW_PTR) != 0;
    info->borrows_col_idx = (plan->layout.borrows & SPMV_BORROWS_COL_IDX) != 0;
    info->borrows_val = (plan->layout.borrows & SPMV_BORROWS_VAL) != 0;
    return SPMV_OK;
}
