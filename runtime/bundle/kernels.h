/* kernels.h: y = alpha*A*x + beta*y for sparse A in compressed sparse row (CSR) format.
 *
 * Functions are named after the type of the values, f32 (float) or f64 (double), and end in _i64 if
 * row_ptr has 64-bit offsets. Columns are always int32_t.
 *
 * Errors. Functions that take an spmv_error also accept NULL for it. Its text says what is wrong
 * and what to do. Nothing is printed, no file and no environment variable is read, and no call
 * exits. OpenMP, where it runs the threads, ends the program if it lacks memory or threads.
 *
 * Threads. Calls for different matrices may run concurrently. Calls for one matrix may not, except
 * queries, and multiplications as their comment says.
 *
 * Bits. Kernels, options and input determine every bit of y; the number of threads does not change
 * it. The CPU and the costs of the methods decide which kernels are chosen; spmv_matrix_query names
 * their method and target.
 *
 * Several bundles in one program need names of their own: spmvgen --prefix NAME. In a shared
 * library the functions are hidden, unless the source is compiled with -DSPMV_API=.
 */
#ifndef SPMV_KERNELS_H
#define SPMV_KERNELS_H

#include "runtime/spmv.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "runtime/bundle/options.h"

#if SPMV_BUNDLE_STATIC
/* ---- placing a matrix ------------------------------------------------------------------------
 *
 * Nothing is allocated: the caller gives memory, of any alignment.
 *
 *     scratch   spmv_scratch_bytes() bytes, in use until the call returns. If that is 0, NULL
 *     memory    as many bytes as spmv_matrix_bytes_... returned for the same matrix: the matrix and
 *               the scratch of its conversion. It may be released when the matrix is no longer
 *               used; that is all it takes to destroy a matrix
 */
size_t spmv_scratch_bytes(void);

/* Checks sizes and row_ptr, and returns the bytes that the matrix needs. 0: an error. The arrays
 * are as below. */
#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I32
size_t spmv_matrix_bytes_f32(int32_t rows, int32_t cols, const int32_t *row_ptr,
                             const int32_t *col_idx, void *scratch, spmv_error *error);
#endif
#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I64
size_t spmv_matrix_bytes_f32_i64(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                 const int32_t *col_idx, void *scratch, spmv_error *error);
#endif
#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I32
size_t spmv_matrix_bytes_f64(int32_t rows, int32_t cols, const int32_t *row_ptr,
                             const int32_t *col_idx, void *scratch, spmv_error *error);
#endif
#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I64
size_t spmv_matrix_bytes_f64_i64(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                 const int32_t *col_idx, void *scratch, spmv_error *error);
#endif

/* Converts a matrix into the given memory, `bytes` bytes. NULL: an error.
 *
 *     row_ptr   rows + 1 offsets, which never decrease. row_ptr[0] is 0 or 1, the base of all
 *               offsets and columns
 *     col_idx   row_ptr[rows] - row_ptr[0] columns from base to base + cols - 1, in any order.
 *               Only options.full_check makes a column outside of them an error; without it, such a
 *               column is undefined behaviour
 *     val       a value for each column. Entries of the same row and column add up
 *
 * The arrays are not changed. The matrix goes on reading those that it borrows, as
 * spmv_matrix_info says: keep them as long as the matrix. options may be NULL, as if all zero. */
#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_place_f32(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                   const int32_t *row_ptr, const int32_t *col_idx,
                                   const float *val, void *scratch, spmv_error *error);
spmv_matrix *spmv_matrix_place_f32_with(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                        const int32_t *row_ptr, const int32_t *col_idx,
                                        const float *val, void *scratch,
                                        const spmv_matrix_options *options, spmv_error *error);
#endif
#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_place_f32_i64(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                       const int64_t *row_ptr, const int32_t *col_idx,
                                       const float *val, void *scratch, spmv_error *error);
spmv_matrix *spmv_matrix_place_f32_i64_with(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                            const int64_t *row_ptr, const int32_t *col_idx,
                                            const float *val, void *scratch,
                                            const spmv_matrix_options *options, spmv_error *error);
#endif
#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_place_f64(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                   const int32_t *row_ptr, const int32_t *col_idx,
                                   const double *val, void *scratch, spmv_error *error);
spmv_matrix *spmv_matrix_place_f64_with(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                        const int32_t *row_ptr, const int32_t *col_idx,
                                        const double *val, void *scratch,
                                        const spmv_matrix_options *options, spmv_error *error);
#endif
#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_place_f64_i64(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                       const int64_t *row_ptr, const int32_t *col_idx,
                                       const double *val, void *scratch, spmv_error *error);
spmv_matrix *spmv_matrix_place_f64_i64_with(void *memory, size_t bytes, int32_t rows, int32_t cols,
                                            const int64_t *row_ptr, const int32_t *col_idx,
                                            const double *val, void *scratch,
                                            const spmv_matrix_options *options, spmv_error *error);
#endif
#else
#include "runtime/bundle/create.h"
#endif

#if SPMV_BUNDLE_STATIC
/* ---- using a matrix --------------------------------------------------------------------------
 *
 * Multiplications by one matrix must not run concurrently: some methods keep intermediate results
 * in the matrix's memory. */
#else
/* ---- using a matrix --------------------------------------------------------------------------
 *
 * Multiplications by one matrix may run concurrently, each with its own y. Some methods need memory
 * for intermediate results (spmv_matrix_info.workspace_bytes). A matrix has it for one
 * multiplication. Another that runs at the same time allocates it for itself, and returns
 * SPMV_OUT_OF_MEMORY if that fails; so does the first one in a child that was forked during a
 * multiplication of another thread. Otherwise multiplications allocate nothing. */
#endif

/* Computes y = alpha*A*x + beta*y.
 *
 *     x, y          cols and rows values. y overlaps neither x nor an array of the matrix
 *     alpha, beta   alpha == 0: neither A nor x is read, and x may be NULL. beta == 0: y is not
 *                   read
 *
 *     SPMV_INVALID_ARGUMENT   the matrix is NULL or has values of the other type; x or y is NULL
 *                             although it has entries, or is not aligned to its type
 *     SPMV_ALIASING           y overlaps x or an array of the matrix
 *
 * After an error y is unchanged. */
#if SPMV_BUNDLE_F32
spmv_status spmv_multiply_f32(const spmv_matrix *matrix, float alpha, const float *x, float beta,
                              float *y);
#endif
#if SPMV_BUNDLE_F64
spmv_status spmv_multiply_f64(const spmv_matrix *matrix, double alpha, const double *x,
                              double beta, double *y);
#endif

#if !SPMV_BUNDLE_STATIC
/* Computes Y = alpha*A*X + beta*Y for several vectors, the columns of X and Y. The bits of a column
 * of Y do not depend on the other columns and their number, which may be 0, on order, ldx and ldy,
 * or on threads. They may differ from those of spmv_multiply_..., within the same error bound.
 *
 *     order         of X and Y
 *     columns       number of vectors, 0 or more
 *     x, ldx        X, of cols x columns values, and its leading dimension
 *     y, ldy        Y, of rows x columns values, and its leading dimension. Memory between rows
 *                   (row-major) or columns (column-major) is neither read nor written
 *     alpha, beta   as above
 *
 * Row-major vectors are faster: a column-major X is copied for each group of 16 columns, to memory
 * that is allocated for the call.
 *
 *     SPMV_INVALID_ARGUMENT   as above; columns is negative; ldx or ldy is too small
 *     SPMV_ALIASING           Y shares an element with X or an array of the matrix, or the memory
 *                             of X and Y overlaps and ldx and ldy differ
 *     SPMV_OUT_OF_MEMORY      there is no memory for the call
 *
 * After an error Y is unchanged. */
#if SPMV_BUNDLE_F32
spmv_status spmv_multiply_columns_f32(const spmv_matrix *matrix, spmv_order order, int32_t columns,
                                      float alpha, const float *x, int64_t ldx, float beta,
                                      float *y, int64_t ldy);
#endif
#if SPMV_BUNDLE_F64
spmv_status spmv_multiply_columns_f64(const spmv_matrix *matrix, spmv_order order, int32_t columns,
                                      double alpha, const double *x, int64_t ldx, double beta,
                                      double *y, int64_t ldy);
#endif
#endif

#include "runtime/bundle/update.h"

#ifdef __cplusplus
}
#endif
#endif
