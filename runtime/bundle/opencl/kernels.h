/* kernels.h: y = alpha*A*x + beta*y on an OpenCL device, for sparse A in compressed sparse
 * row (CSR) format.
 *
 * Functions are named after the type of the values, f32 (float) or f64 (double), and end in _i64 if
 * row_ptr has 64-bit offsets. Columns are always int32_t.
 *
 * Queues. A matrix is created for a queue of the program: its context and its device. It keeps a
 * reference to both. Everything runs in queues of the program.
 *
 * Errors. Functions that take an spmv_error also accept NULL for it. Its text says what is wrong
 * and what to do. Nothing is printed, no file and no environment variable is read, and no call
 * exits.
 *
 * Threads. Calls for different matrices may run concurrently. Calls for one matrix may not, except
 * queries, and multiplications as their comment says.
 *
 * Bits. Kernels, options and input determine every bit of y. The costs of the methods decide which
 * kernels are chosen; spmv_matrix_query names their method and target.
 *
 * Several bundles in one program need names of their own: spmvgen --prefix NAME. In a shared
 * library the functions are hidden, unless the source is compiled with -DSPMV_API=.
 */
#ifndef SPMV_OPENCL_KERNELS_H
#define SPMV_OPENCL_KERNELS_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 210
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include "runtime/bundle/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- creating a matrix -----------------------------------------------------------------------
 *
 * Checks the matrix, chooses a method, converts the matrix, copies it to the device of the queue,
 * and builds the kernels. Waits for the copies. NULL: an error.
 *
 *     row_ptr   rows + 1 offsets, which never decrease. row_ptr[0] is 0 or 1, the base of all
 *               offsets and columns
 *     col_idx   row_ptr[rows] - row_ptr[0] columns from base to base + cols - 1, in any order.
 *               Only options.full_check makes a column outside of them an error; without it, such a
 *               column is undefined behaviour
 *     val       a value for each column. Entries of the same row and column add up
 *
 * The arrays are in the host's memory and are not changed. The matrix goes on reading those that
 * it borrows, as spmv_matrix_info says: keep them until spmv_matrix_destroy, or set options.copy.
 * Where the device shares memory with the CPU (fine-grained SVM), the matrix's own arrays and
 * copies are in such memory; otherwise the device has further copies. options may be NULL, as if
 * all zero. */
#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_create_f32(cl_command_queue queue, int32_t rows, int32_t cols,
                                    const int32_t *row_ptr, const int32_t *col_idx,
                                    const float *val, spmv_error *error);
spmv_matrix *spmv_matrix_create_f32_with(cl_command_queue queue, int32_t rows, int32_t cols,
                                         const int32_t *row_ptr, const int32_t *col_idx,
                                         const float *val, const spmv_matrix_options *options,
                                         spmv_error *error);
#endif
#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_create_f32_i64(cl_command_queue queue, int32_t rows, int32_t cols,
                                        const int64_t *row_ptr, const int32_t *col_idx,
                                        const float *val, spmv_error *error);
spmv_matrix *spmv_matrix_create_f32_i64_with(cl_command_queue queue, int32_t rows, int32_t cols,
                                             const int64_t *row_ptr, const int32_t *col_idx,
                                             const float *val, const spmv_matrix_options *options,
                                             spmv_error *error);
#endif
#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_create_f64(cl_command_queue queue, int32_t rows, int32_t cols,
                                    const int32_t *row_ptr, const int32_t *col_idx,
                                    const double *val, spmv_error *error);
spmv_matrix *spmv_matrix_create_f64_with(cl_command_queue queue, int32_t rows, int32_t cols,
                                         const int32_t *row_ptr, const int32_t *col_idx,
                                         const double *val, const spmv_matrix_options *options,
                                         spmv_error *error);
#endif
#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_create_f64_i64(cl_command_queue queue, int32_t rows, int32_t cols,
                                        const int64_t *row_ptr, const int32_t *col_idx,
                                        const double *val, spmv_error *error);
spmv_matrix *spmv_matrix_create_f64_i64_with(cl_command_queue queue, int32_t rows, int32_t cols,
                                             const int64_t *row_ptr, const int32_t *col_idx,
                                             const double *val, const spmv_matrix_options *options,
                                             spmv_error *error);
#endif

/* ---- using a matrix --------------------------------------------------------------------------
 *
 * Enqueues y = alpha*A*x + beta*y, and returns.
 *
 *     x, y          buffers of the matrix's context with at least cols and rows values
 *     alpha, beta   alpha == 0: neither A nor x is read, and x may be NULL. beta == 0: y is not
 *                   read
 *     queue         of the matrix's context and device; NULL: the one that the matrix was created
 *                   for. It may be out of order
 *     wait_list     wait_count events that the multiplication waits for
 *     event         receives an event of the end, for the program to release; NULL: no event
 *
 * A method with steps for the CPU waits here for its kernels, repairs y, and enqueues what is left.
 *
 * x, y and the matrix must live, and the matrix must not be updated, until the multiplication has
 * ended; spmv_matrix_destroy waits for it. Multiplications by one matrix may overlap, each with its
 * own y, from up to 15 threads at a time: SPMV_BUSY tells of more.
 *
 *     SPMV_INVALID_ARGUMENT   the matrix is NULL or has values of the other type; x or y is NULL
 *                             although it has entries, too short or of another context; queue is of
 *                             another context or device
 *     SPMV_ALIASING           y is x
 *     SPMV_OUT_OF_MEMORY      a matrix needs memory for each multiplication that runs at a time
 *     SPMV_DEVICE_FAILED      an OpenCL function failed, or an event of wait_list
 */
#if SPMV_BUNDLE_F32
spmv_status spmv_multiply_f32(const spmv_matrix *matrix, float alpha, cl_mem x, float beta,
                              cl_mem y, cl_command_queue queue, cl_uint wait_count,
                              const cl_event *wait_list, cl_event *event, spmv_error *error);
#endif
#if SPMV_BUNDLE_F64
spmv_status spmv_multiply_f64(const spmv_matrix *matrix, double alpha, cl_mem x, double beta,
                              cl_mem y, cl_command_queue queue, cl_uint wait_count,
                              const cl_event *wait_list, cl_event *event, spmv_error *error);
#endif

/* The same with x and y in shared virtual memory (SVM): clSVMAlloc's or, if the device shares all
 * memory (CL_DEVICE_SVM_FINE_GRAIN_SYSTEM), any. Steps for the CPU repair y in place. The program
 * has not mapped coarse-grained memory. y overlaps neither x nor an array of the matrix.
 *
 *     SPMV_UNSUPPORTED        the device has no SVM, or spmv_kernels.c was compiled with headers of
 *                             OpenCL 1
 */
#if SPMV_BUNDLE_F32
spmv_status spmv_multiply_svm_f32(const spmv_matrix *matrix, float alpha, const float *x,
                                  float beta, float *y, cl_command_queue queue,
                                  cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                                  spmv_error *error);
#endif
#if SPMV_BUNDLE_F64
spmv_status spmv_multiply_svm_f64(const spmv_matrix *matrix, double alpha, const double *x,
                                  double beta, double *y, cl_command_queue queue,
                                  cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                                  spmv_error *error);
#endif

/* Multiplies as spmv_multiply_svm_..., waits, and tells how long each part took: kernels by the
 * device's clock if the queue has CL_QUEUE_PROFILING_ENABLE, else, as steps for the CPU, by the
 * host's. Names live as long as the program. On error *count is 0. */
#if SPMV_BUNDLE_F32
spmv_status spmv_profile_svm_f32(const spmv_matrix *matrix, float alpha, const float *x,
                                 float beta, float *y, cl_command_queue queue,
                                 spmv_step_time time[SPMV_MAX_STEPS], int32_t *count,
                                 spmv_error *error);
#endif
#if SPMV_BUNDLE_F64
spmv_status spmv_profile_svm_f64(const spmv_matrix *matrix, double alpha, const double *x,
                                 double beta, double *y, cl_command_queue queue,
                                 spmv_step_time time[SPMV_MAX_STEPS], int32_t *count,
                                 spmv_error *error);
#endif

#include "runtime/bundle/update.h"

#ifdef __cplusplus
}
#endif
#endif
