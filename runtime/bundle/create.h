/* create.h: creating a matrix. */
#ifndef SPMV_BUNDLE_CREATE_H
#define SPMV_BUNDLE_CREATE_H

#include "runtime/bundle/options.h"

/* ---- creating a matrix -----------------------------------------------------------------------
 *
 * Checks the matrix, chooses a method and converts the matrix. NULL: an error.
 *
 *     row_ptr   rows + 1 offsets, which never decrease. row_ptr[0] is 0 or 1, the base of all
 *               offsets and columns
 *     col_idx   row_ptr[rows] - row_ptr[0] columns from base to base + cols - 1, in any order.
 *               Only options.full_check makes a column outside of them an error; without it, such a
 *               column is undefined behaviour
 *     val       a value for each column. Entries of the same row and column add up
 *
 * The arrays are not changed. The matrix goes on reading those that it borrows, as
 * spmv_matrix_info says: keep them until spmv_matrix_destroy, or set options.copy. options may be
 * NULL, as if all zero.
 *
 * With OpenMP, a child of fork() needs options.threads = 1 or options.parallel_for, for its own
 * matrices and for its parent's: OpenMP's threads stay with the parent. */
#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_create_f32(int32_t rows, int32_t cols, const int32_t *row_ptr,
                                    const int32_t *col_idx, const float *val, spmv_error *error);
spmv_matrix *spmv_matrix_create_f32_with(int32_t rows, int32_t cols, const int32_t *row_ptr,
                                         const int32_t *col_idx, const float *val,
                                         const spmv_matrix_options *options, spmv_error *error);
#endif
#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_create_f32_i64(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                        const int32_t *col_idx, const float *val,
                                        spmv_error *error);
spmv_matrix *spmv_matrix_create_f32_i64_with(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                             const int32_t *col_idx, const float *val,
                                             const spmv_matrix_options *options,
                                             spmv_error *error);
#endif
#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_create_f64(int32_t rows, int32_t cols, const int32_t *row_ptr,
                                    const int32_t *col_idx, const double *val, spmv_error *error);
spmv_matrix *spmv_matrix_create_f64_with(int32_t rows, int32_t cols, const int32_t *row_ptr,
                                         const int32_t *col_idx, const double *val,
                                         const spmv_matrix_options *options, spmv_error *error);
#endif
#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_create_f64_i64(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                        const int32_t *col_idx, const double *val,
                                        spmv_error *error);
spmv_matrix *spmv_matrix_create_f64_i64_with(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                             const int32_t *col_idx, const double *val,
                                             const spmv_matrix_options *options,
                                             spmv_error *error);
#endif

#endif
