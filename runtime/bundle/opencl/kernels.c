/* kernels.c: what runs kernels on an OpenCL device, the kernels' texts, and the functions of
 * the interface. OpenCL's functions are linked. */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE                  /* madvise */
#endif
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1         /* %zu */
#endif

#include "runtime/bundle/opencl/kernels.h"

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
#include "runtime/device/program.c"
#include "runtime/device/allocation_registry.c"
#include "runtime/device/arguments.c"
#include "runtime/device/launch_list.c"
#include "runtime/device/slot_pool.c"
#include "runtime/device/device_plan.c"
#include "runtime/device/run.c"
#include "runtime/device/backend.c"
#include "runtime/device/opencl/api.c"
#include "runtime/device/opencl/memory.c"
#include "runtime/device/opencl/subgroups.c"
#include "runtime/device/opencl/program.c"
#include "runtime/device/opencl/run.c"
#include "runtime/device/opencl/create_plan.c"
#include "runtime/device/opencl/enqueue.c"
#include "runtime/device/opencl/device.c"
#include "runtime/bundle/opencl/shell.c"
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

#include SPMV_BUNDLE_MODULES

const spmv_backend *const spmv_bundle_backend = &spmv_opencl_backend;

#include "runtime/bundle/arguments.c"
#include "runtime/bundle/create.c"
#include "runtime/bundle/update.c"

/* ---- creating a matrix --------------------------------------------------------------------- */

#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_create_f32_with(cl_command_queue queue, int32_t rows, int32_t cols,
                                         const int32_t *row_ptr, const int32_t *col_idx,
                                         const float *val, const spmv_matrix_options *options,
                                         spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I32, row_ptr, col_idx, SPMV_F32, val,
                                           &csr, error);

    return spmv_bundle_create("spmv_matrix_create_f32", queue, &csr, status, options, error);
}

spmv_matrix *spmv_matrix_create_f32(cl_command_queue queue, int32_t rows, int32_t cols,
                                    const int32_t *row_ptr, const int32_t *col_idx,
                                    const float *val, spmv_error *error)
{
    return spmv_matrix_create_f32_with(queue, rows, cols, row_ptr, col_idx, val, NULL, error);
}
#endif

#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_create_f32_i64_with(cl_command_queue queue, int32_t rows, int32_t cols,
                                             const int64_t *row_ptr, const int32_t *col_idx,
                                             const float *val, const spmv_matrix_options *options,
                                             spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I64, row_ptr, col_idx, SPMV_F32, val,
                                           &csr, error);

    return spmv_bundle_create("spmv_matrix_create_f32_i64", queue, &csr, status, options, error);
}

spmv_matrix *spmv_matrix_create_f32_i64(cl_command_queue queue, int32_t rows, int32_t cols,
                                        const int64_t *row_ptr, const int32_t *col_idx,
                                        const float *val, spmv_error *error)
{
    return spmv_matrix_create_f32_i64_with(queue, rows, cols, row_ptr, col_idx, val, NULL, error);
}
#endif

#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_create_f64_with(cl_command_queue queue, int32_t rows, int32_t cols,
                                         const int32_t *row_ptr, const int32_t *col_idx,
                                         const double *val, const spmv_matrix_options *options,
                                         spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I32, row_ptr, col_idx, SPMV_F64, val,
                                           &csr, error);

    return spmv_bundle_create("spmv_matrix_create_f64", queue, &csr, status, options, error);
}

spmv_matrix *spmv_matrix_create_f64(cl_command_queue queue, int32_t rows, int32_t cols,
                                    const int32_t *row_ptr, const int32_t *col_idx,
                                    const double *val, spmv_error *error)
{
    return spmv_matrix_create_f64_with(queue, rows, cols, row_ptr, col_idx, val, NULL, error);
}
#endif

#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_create_f64_i64_with(cl_command_queue queue, int32_t rows, int32_t cols,
                                             const int64_t *row_ptr, const int32_t *col_idx,
                                             const double *val, const spmv_matrix_options *options,
                                             spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I64, row_ptr, col_idx, SPMV_F64, val,
                                           &csr, error);

    return spmv_bundle_create("spmv_matrix_create_f64_i64", queue, &csr, status, options, error);
}

spmv_matrix *spmv_matrix_create_f64_i64(cl_command_queue queue, int32_t rows, int32_t cols,
                                        const int64_t *row_ptr, const int32_t *col_idx,
                                        const double *val, spmv_error *error)
{
    return spmv_matrix_create_f64_i64_with(queue, rows, cols, row_ptr, col_idx, val, NULL, error);
}
#endif

/* ---- multiplication ------------------------------------------------------------------------ */

/* The parameters of multiplications that do not depend on the type of values. */
typedef struct queue_use {
    cl_command_queue queue;
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;
    spmv_error *error;
} queue_use;

static queue_use use_queue(cl_command_queue queue, cl_uint wait_count, const cl_event *wait_list,
                           cl_event *event, spmv_error *error)
{
    const queue_use use = { queue, wait_count, wait_list, event, error };

    if (error != NULL)
        error->status = SPMV_OK; /* spmv_error_within must not take an old text */
    return use;
}

/* Whether the matrix has values of this type. */
static spmv_status check_use(const spmv_matrix *matrix, spmv_value_type value_type,
                             const queue_use *use)
{
    if (matrix == NULL)
        return spmv_error_set(use->error, SPMV_INVALID_ARGUMENT, "matrix is NULL");
    if (matrix->plan.layout.csr.value_type != value_type)
        return spmv_error_set(use->error, SPMV_INVALID_ARGUMENT,
                              "the matrix has values of the other type, f%d; call its function",
                              (int)matrix->plan.layout.csr.value_type);
    if (use->wait_count > 0 && use->wait_list == NULL)
        return spmv_error_set(use->error, SPMV_INVALID_ARGUMENT,
                              "wait_list is NULL; expected %u events", (unsigned)use->wait_count);
    return SPMV_OK;
}

static spmv_enqueue_options options_of(const queue_use *use)
{
    spmv_enqueue_options options;

    memset(&options, 0, sizeof options);
    options.queue = use->queue;
    options.wait_count = use->wait_count;
    options.wait = use->wait_list;
    options.event = use->event;
    options.err = use->error;
    return options;
}

static spmv_status multiply_buffers(const spmv_matrix *matrix, spmv_value_type value_type,
                                    double alpha, cl_mem x, double beta, cl_mem y, queue_use use)
{
    const spmv_enqueue_options options = options_of(&use);
    const spmv_status status = check_use(matrix, value_type, &use);
    spmv_job job;

    if (status != SPMV_OK)
        return status;
    job = spmv_job_of(&matrix->plan.layout, alpha, beta);
    return spmv_opencl_plan_enqueue(matrix->state, &job, x, y, &options);
}

static spmv_status multiply_shared(const spmv_matrix *matrix, spmv_value_type value_type,
                                   double alpha, const void *x, double beta, void *y,
                                   queue_use use, spmv_step_time *time, int32_t *count)
{
    const spmv_enqueue_options options = options_of(&use);
    spmv_status status = check_use(matrix, value_type, &use);
    spmv_job job;

    if (status != SPMV_OK)
        return status;
    job = spmv_job_of(&matrix->plan.layout, alpha, beta);
    job.x = x;
    job.y = y;
    status = spmv_bundle_check_job(&job, matrix->plan.module->ops);
    if (status != SPMV_OK)
        return spmv_error_set(use.error, status, "x or y: %s", spmv_status_text(status));
    return enqueue_shared(matrix->state, &job, &options, time, count);
}

/* Also waits for the multiplication. */
static spmv_status profile_shared(const spmv_matrix *matrix, spmv_value_type value_type,
                                  double alpha, const void *x, double beta, void *y,
                                  cl_command_queue queue, spmv_step_time *time, int32_t *count,
                                  spmv_error *error)
{
    cl_event end = NULL;
    const queue_use use = use_queue(queue, 0, NULL, &end, error);
    spmv_status status;

    if (time == NULL || count == NULL)
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT, "%s is NULL",
                              time == NULL ? "time" : "count");
    *count = 0;
    status = multiply_shared(matrix, value_type, alpha, x, beta, y, use, time, count);
    if (status == SPMV_OK && clWaitForEvents(1, &end) != CL_SUCCESS)
        status = spmv_error_set(error, SPMV_DEVICE_FAILED, "OpenCL cannot wait for the end");
    if (end != NULL)
        clReleaseEvent(end);
    return status;
}

#if SPMV_BUNDLE_F32
spmv_status spmv_multiply_f32(const spmv_matrix *matrix, float alpha, cl_mem x, float beta,
                              cl_mem y, cl_command_queue queue, cl_uint wait_count,
                              const cl_event *wait_list, cl_event *event, spmv_error *error)
{
    return spmv_error_within(
        error, "spmv_multiply_f32",
        multiply_buffers(matrix, SPMV_F32, (double)alpha, x, (double)beta, y,
                         use_queue(queue, wait_count, wait_list, event, error)));
}

spmv_status spmv_multiply_svm_f32(const spmv_matrix *matrix, float alpha, const float *x,
                                  float beta, float *y, cl_command_queue queue,
                                  cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                                  spmv_error *error)
{
    return spmv_error_within(
        error, "spmv_multiply_svm_f32",
        multiply_shared(matrix, SPMV_F32, (double)alpha, x, (double)beta, y,
                        use_queue(queue, wait_count, wait_list, event, error), NULL, NULL));
}

spmv_status spmv_profile_svm_f32(const spmv_matrix *matrix, float alpha, const float *x,
                                 float beta, float *y, cl_command_queue queue,
                                 spmv_step_time time[SPMV_MAX_STEPS], int32_t *count,
                                 spmv_error *error)
{
    return spmv_error_within(error, "spmv_profile_svm_f32",
                             profile_shared(matrix, SPMV_F32, (double)alpha, x, (double)beta, y,
                                            queue, time, count, error));
}
#endif

#if SPMV_BUNDLE_F64
spmv_status spmv_multiply_f64(const spmv_matrix *matrix, double alpha, cl_mem x, double beta,
                              cl_mem y, cl_command_queue queue, cl_uint wait_count,
                              const cl_event *wait_list, cl_event *event, spmv_error *error)
{
    return spmv_error_within(
        error, "spmv_multiply_f64",
        multiply_buffers(matrix, SPMV_F64, alpha, x, beta, y,
                         use_queue(queue, wait_count, wait_list, event, error)));
}

spmv_status spmv_multiply_svm_f64(const spmv_matrix *matrix, double alpha, const double *x,
                                  double beta, double *y, cl_command_queue queue,
                                  cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                                  spmv_error *error)
{
    return spmv_error_within(
        error, "spmv_multiply_svm_f64",
        multiply_shared(matrix, SPMV_F64, alpha, x, beta, y,
                        use_queue(queue, wait_count, wait_list, event, error), NULL, NULL));
}

spmv_status spmv_profile_svm_f64(const spmv_matrix *matrix, double alpha, const double *x,
                                 double beta, double *y, cl_command_queue queue,
                                 spmv_step_time time[SPMV_MAX_STEPS], int32_t *count,
                                 spmv_error *error)
{
    return spmv_error_within(error, "spmv_profile_svm_f64",
                             profile_shared(matrix, SPMV_F64, alpha, x, beta, y,
                                            queue, time, count, error));
}
#endif
