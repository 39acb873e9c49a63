/* multiply_columns.c: multiplications of several vectors by a matrix of a bundle. */
#include "runtime/base/memory.h"
#include "runtime/bundle/kernels.h"
#include "runtime/bundle/matrix.h"
#include "runtime/core/columns.h"

static spmv_status multiply_columns(const spmv_matrix *matrix, spmv_value_type value_type,
                                    const spmv_columns_arguments *arguments)
{
    const spmv_core *plan = spmv_plan_of(matrix);
    void *workspace = NULL;
    spmv_columns run;
    spmv_status status;

    if (plan == NULL || plan->layout.csr.value_type != value_type)
        return SPMV_INVALID_ARGUMENT;
    status = spmv_columns_begin(plan, arguments, &run);
    if (status != SPMV_OK)
        return status;
    if (run.workspace_bytes > 0 && (workspace = spmv_memory_alloc(run.workspace_bytes)) == NULL)
        return SPMV_OUT_OF_MEMORY;
    status = spmv_columns_multiply(&run, workspace);
    spmv_memory_free(workspace);
    return status;
}

#if SPMV_BUNDLE_F32
spmv_status spmv_multiply_columns_f32(const spmv_matrix *matrix, spmv_order order, int32_t columns,
                                      float alpha, const float *x, int64_t ldx, float beta,
                                      float *y, int64_t ldy)
{
    const spmv_columns_arguments arguments = {order, columns, (double)alpha, x, ldx, (double)beta,
                                              y, ldy};

    return multiply_columns(matrix, SPMV_F32, &arguments);
}
#endif

#if SPMV_BUNDLE_F64
spmv_status spmv_multiply_columns_f64(const spmv_matrix *matrix, spmv_order order, int32_t columns,
                                      double alpha, const double *x, int64_t ldx, double beta,
                                      double *y, int64_t ldy)
{
    const spmv_columns_arguments arguments = {order, columns, alpha, x, ldx, beta, y, ldy};

    return multiply_columns(matrix, SPMV_F64, &arguments);
}
#endif
