/* kernels.c: what runs the kernels of the .cu file, and the functions of the interface. It
 * needs no header of CUDA. */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE                  /* madvise */
#endif
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1         /* %zu */
#endif

#include "runtime/bundle/cuda/kernels.h"

#include "runtime/base/text.c"
#include "runtime/base/error.c"
#include "runtime/bundle/memory_hook.c"
#include "runtime/base/memory.c"
#include "runtime/core/threads/openmp.c"
#include "runtime/core/threads/parallel.c"
#include "runtime/core/threads/step_runner.c"
#include "runtime/bundle/shell.c"
#include "runtime/core/threads/team.c"
#include "runtime/core/matrix_check.c"
#include "runtime/core/layout.c"
#include "runtime/device/allocation_registry.c"
#include "runtime/device/arguments.c"
#include "runtime/device/launch_list.c"
#include "runtime/device/slot_pool.c"
#include "runtime/device/device_plan.c"
#include "runtime/device/run.c"
#include "runtime/device/backend.c"
#include "runtime/core/options.c"
#include "runtime/core/candidates.c"
#include "runtime/core/selection.c"
#include "runtime/core/storage.c"
#include "runtime/core/choice.c"
#include "runtime/core/build.c"
#include "runtime/core/ranges.c"
#include "runtime/core/operands.c"
#include "runtime/core/job.c"
#include "runtime/core/update.c"
#include "runtime/bundle/cuda/api.h"

#include SPMV_BUNDLE_MODULES

#include "runtime/bundle/cuda/run.c"
#include "runtime/bundle/arguments.c"
#include "runtime/bundle/create.c"
#include "runtime/bundle/create_typed.c"
#include "runtime/bundle/update.c"

/* ---- multiplication ------------------------------------------------------------------------ */

static spmv_status multiply(const spmv_matrix *matrix, spmv_value_type value_type, double alpha,
                            const void *x, double beta, void *y, spmv_stream stream,
                            spmv_step_time *time, int32_t *count)
{
    const spmv_core *plan = spmv_plan_of(matrix);
    spmv_status status;
    spmv_job job;

    if (count != NULL)
        *count = 0;
    if (plan == NULL || plan->layout.csr.value_type != value_type)
        return SPMV_INVALID_ARGUMENT;
    job = spmv_job_of(&plan->layout, alpha, beta);
    job.x = x;
    job.y = y;
    status = spmv_bundle_check_job(&job, plan->module->ops);
    if (status != SPMV_OK || plan->layout.csr.rows == 0)
        return status;
    return spmv_cuda_bundle_run(matrix->state, &job, stream, time, count);
}

#if SPMV_BUNDLE_F32
spmv_status spmv_multiply_f32(const spmv_matrix *matrix, float alpha, const float *x, float beta,
                              float *y, spmv_stream stream)
{
    return multiply(matrix, SPMV_F32, (double)alpha, x, (double)beta, y, stream, NULL, NULL);
}

spmv_status spmv_profile_f32(const spmv_matrix *matrix, float alpha, const float *x, float beta,
                             float *y, spmv_stream stream, spmv_step_time time[SPMV_MAX_STEPS],
                             int32_t *count)
{
    if (time == NULL || count == NULL)
        return SPMV_INVALID_ARGUMENT;
    return multiply(matrix, SPMV_F32, (double)alpha, x, (double)beta, y, stream, time, count);
}
#endif

#if SPMV_BUNDLE_F64
spmv_status spmv_multiply_f64(const spmv_matrix *matrix, double alpha, const double *x,
                              double beta, double *y, spmv_stream stream)
{
    return multiply(matrix, SPMV_F64, alpha, x, beta, y, stream, NULL, NULL);
}

spmv_status spmv_profile_f64(const spmv_matrix *matrix, double alpha, const double *x, double beta,
                             double *y, spmv_stream stream, spmv_step_time time[SPMV_MAX_STEPS],
                             int32_t *count)
{
    if (time == NULL || count == NULL)
        return SPMV_INVALID_ARGUMENT;
    return multiply(matrix, SPMV_F64, alpha, x, beta, y, stream, time, count);
}
#endif
