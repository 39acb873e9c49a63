/* multiply.c: multiplications by a matrix of a bundle on the CPU. */
#include "runtime/base/error.h"
#include "runtime/bundle/arguments.h"
#include "runtime/bundle/kernels.h"
#include "runtime/bundle/matrix.h"
#include "runtime/core/job.h"
#include "runtime/core/shell.h"
#include "runtime/core/threads/step_runner.h"

#if !SPMV_BUNDLE_STATIC
#include "runtime/base/memory.h"
#endif

/* Runs the job in the plan's workspace, or in a new one, which then becomes the plan's. So a child
 * of fork() lacks a workspace only once, if another thread of its parent had it. */
static spmv_status run_in_workspace(spmv_core *plan, spmv_job *job)
{
#if SPMV_BUNDLE_STATIC
    job->workspace = plan->workspace;
    return spmv_plan_launch(plan, job);
#else
    spmv_status status;

    job->workspace = spmv_atomic_exchange(&plan->workspace, NULL);
    if (job->workspace == NULL)
        job->workspace = spmv_memory_alloc(plan->layout.workspace_bytes);
    if (job->workspace == NULL)
        return SPMV_OUT_OF_MEMORY;
    status = spmv_plan_launch(plan, job);
    spmv_memory_free(spmv_atomic_exchange(&plan->workspace, job->workspace));
    return status;
#endif
}

static spmv_status multiply_plan(const spmv_matrix *matrix, spmv_value_type value_type,
                                 double alpha, const void *x, double beta, void *y)
{
    spmv_core *plan = spmv_plan_of(matrix);
    spmv_status status;
    spmv_job job;

    if (plan == NULL || plan->layout.csr.value_type != value_type)
        return SPMV_INVALID_ARGUMENT;
    job = spmv_job_of(&plan->layout, alpha, beta);
    job.x = x;
    job.y = y;
    status = spmv_bundle_check_job(&job, plan->module->ops);
    if (status != SPMV_OK || plan->layout.csr.rows == 0)
        return status;
    return plan->layout.workspace_bytes > 0 ? run_in_workspace(plan, &job)
                                            : spmv_plan_launch(plan, &job);
}

#if SPMV_BUNDLE_F32
spmv_status spmv_multiply_f32(const spmv_matrix *matrix, float alpha, const float *x, float beta,
                              float *y)
{
    return multiply_plan(matrix, SPMV_F32, (double)alpha, x, (double)beta, y);
}
#endif

#if SPMV_BUNDLE_F64
spmv_status spmv_multiply_f64(const spmv_matrix *matrix, double alpha, const double *x, double beta,
                              double *y)
{
    return multiply_plan(matrix, SPMV_F64, alpha, x, beta, y);
}
#endif
