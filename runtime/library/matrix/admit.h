/* admit.h: the checks of a caller's matrix. A bundle takes types, base and nnz from its functions
 * and from row_ptr, so only libspmv checks those. */
#ifndef SPMV_ADMIT_H
#define SPMV_ADMIT_H

#include "runtime/core/threads/team.h"

/* Checks types, sizes, pointers and row_ptr; with `columns` also every column. */
spmv_status spmv_matrix_check(const spmv_csr *csr, int columns, const spmv_threads *threads,
                              spmv_error *err);

/* Checks types, sizes and pointers, and reads no array. */
spmv_status spmv_matrix_check_sizes(const spmv_csr *csr, spmv_error *err);

#endif
