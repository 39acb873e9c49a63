/* kernels.h: y = alpha*A*x + beta*y on a CUDA device, for sparse A in compressed sparse row
 * (CSR) format.
 *
 * Functions are named after the type of the values, f32 (float) or f64 (double), and end in _i64 if
 * row_ptr has 64-bit offsets. Columns are always int32_t.
 *
 * Devices. A matrix belongs to the device that is current when it is created (cudaSetDevice). The
 * same device must be current for multiplications.
 *
 * Memory. row_ptr, col_idx and val are in host memory, x and y in memory of the device or in
 * managed memory. A target whose page says that host and device have one memory keeps its matrices
 * in managed memory; on devices before Pascal, and on Tegra K1 and X1, no kernel may then run on
 * the device while a matrix is created or updated.
 *
 * Errors. Functions that take an spmv_error also accept NULL for it. Its text says what is wrong
 * and what to do. Nothing is printed, no file and no environment variable is read, and no call
 * exits.
 *
 * Threads. Calls for different matrices may run concurrently. Calls for one matrix may not, except
 * queries.
 *
 * Bits. Kernels, options and input determine every bit of y. The costs of the methods decide which
 * kernels are chosen; spmv_matrix_query names their method and target.
 *
 * Several bundles in one program need names of their own: spmvgen --prefix NAME. In a shared
 * library the functions are hidden, unless the source is compiled with -DSPMV_API=.
 */
#ifndef SPMV_CUDA_KERNELS_H
#define SPMV_CUDA_KERNELS_H

#include "runtime/bundle/options.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "runtime/bundle/create.h"

/* ---- using a matrix --------------------------------------------------------------------------
 *
 * Starts y = alpha*A*x + beta*y in a stream.
 *
 *     x, y          cols and rows values in memory of the device or in managed memory. y overlaps
 *                   neither x nor an array of the matrix
 *     alpha, beta   alpha == 0: neither A nor x is read, and x may be NULL. beta == 0: y is not
 *                   read
 *     stream        of the matrix's device; NULL is CUDA's default stream
 *
 * A multiplication that runs on the device alone returns at once: it allocates nothing, waits for
 * nothing and uses no other stream, so it can be captured into a graph.
 *
 * If the method has a step for the CPU (spmv_matrix_info.host_step), the multiplication waits for
 * the stream, runs that step, and starts the rest. Such a step changes y in place if y is in
 * managed memory; otherwise y is copied to the host and back. On devices before Pascal and on Tegra
 * K1 and X1 the CPU may use managed memory only while no kernel runs: then the multiplication waits
 * for all streams, and the program starts no kernel meanwhile.
 *
 * x, y and the matrix must live, and the matrix must not be updated, until the multiplication has
 * ended. A graph goes on reading the arrays that the matrix used when it was captured: after an
 * update, capture again if val is in managed memory that the matrix borrows.
 *
 * A matrix has memory for the intermediate results of one multiplication
 * (spmv_matrix_info.workspace_bytes). If it has any, its multiplications must run one after
 * another: in one stream, or in streams that wait for each other.
 *
 *     SPMV_INVALID_ARGUMENT   the matrix is NULL or has values of the other type; x or y is NULL
 *                             although it has entries, or is not aligned to its type
 *     SPMV_ALIASING           y overlaps x or an array of the matrix
 *     SPMV_UNSUPPORTED        the stream is being captured, and the method has a step for the CPU
 *     SPMV_OUT_OF_MEMORY      for a copy of y
 *     SPMV_DEVICE_FAILED      CUDA failed, now or earlier: see cudaGetLastError
 */

/* A cudaStream_t. */
typedef struct CUstream_st *spmv_stream;

#if SPMV_BUNDLE_F32
spmv_status spmv_multiply_f32(const spmv_matrix *matrix, float alpha, const float *x, float beta,
                              float *y, spmv_stream stream);
#endif
#if SPMV_BUNDLE_F64
spmv_status spmv_multiply_f64(const spmv_matrix *matrix, double alpha, const double *x,
                              double beta, double *y, spmv_stream stream);
#endif

/* Multiplies, waits, and tells how long each part took: kernels by the device's clock; "waiting",
 * what the host waited longer than its kernel ran; steps for the CPU, and copies, by the host's
 * clock. Names live as long as the program. On error *count is 0. */
#if SPMV_BUNDLE_F32
spmv_status spmv_profile_f32(const spmv_matrix *matrix, float alpha, const float *x, float beta,
                             float *y, spmv_stream stream, spmv_step_time time[SPMV_MAX_STEPS],
                             int32_t *count);
#endif
#if SPMV_BUNDLE_F64
spmv_status spmv_profile_f64(const spmv_matrix *matrix, double alpha, const double *x, double beta,
                             double *y, spmv_stream stream, spmv_step_time time[SPMV_MAX_STEPS],
                             int32_t *count);
#endif

#include "runtime/bundle/update.h"

#ifdef __cplusplus
}
#endif
#endif
