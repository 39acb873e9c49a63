/* update.h: new values for a matrix of a bundle, what the matrix is, and its end. */
#ifndef SPMV_BUNDLE_UPDATE_H
#define SPMV_BUNDLE_UPDATE_H

#include "runtime/bundle/options.h"

/* Replaces the values of the matrix; rows, columns and their places stay. val has one value for
 * each column, in the order of the matrix's arrays. A matrix that borrows val borrows this array
 * from now on. SPMV_INVALID_ARGUMENT: the matrix has values of the other type, or an argument is
 * NULL or not aligned; nothing changes. */
#if SPMV_BUNDLE_F32
spmv_status spmv_matrix_update_f32(spmv_matrix *matrix, const float *val, spmv_error *error);
#endif
#if SPMV_BUNDLE_F64
spmv_status spmv_matrix_update_f64(spmv_matrix *matrix, const double *val, spmv_error *error);
#endif

/* What a matrix is. Strings live as long as the matrix. */
typedef struct spmv_matrix_info {
    const char *method;
    const char *target;
#if !SPMV_BUNDLE_STATIC
    const char *reason;          /* why the method was chosen, in words */
#endif
#if SPMV_BUNDLE_DEVICE
    const char *host_step;       /* the step of a multiplication that the CPU does; NULL: none */
#endif
    int64_t rows, cols, nnz;
    size_t bytes;                /* held by the matrix, workspace included, borrowed arrays not */
    size_t workspace_bytes;      /* of those: intermediate results of one multiplication */
    int32_t threads;             /* parts that the work is cut into */
    int32_t borrows_row_ptr;     /* nonzero: it reads this array of the caller */
    int32_t borrows_col_idx;
    int32_t borrows_val;
} spmv_matrix_info;

/* SPMV_INVALID_ARGUMENT: a pointer is NULL. */
spmv_status spmv_matrix_query(const spmv_matrix *matrix, spmv_matrix_info *info);

#if !SPMV_BUNDLE_STATIC
/* Releases all memory of the matrix. matrix may be NULL. */
void spmv_matrix_destroy(spmv_matrix *matrix);
#endif

#endif
