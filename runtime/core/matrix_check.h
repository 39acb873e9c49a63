/* matrix_check.h: whether a caller's CSR describes a matrix. The caller's arrays are read only once
 * the sizes that bound them have been checked. */
#ifndef SPMV_MATRIX_CHECK_H
#define SPMV_MATRIX_CHECK_H

#include "runtime/core/threads/team.h"

/* Checks types, sizes, pointers and row_ptr; with `columns` also every column index. The error
 * names the first bad row or entry, whatever the number of threads. A bundle takes types, base and
 * nnz from its function and row_ptr, so they are not checked there. */
spmv_status spmv_matrix_check(const spmv_csr *csr, int columns, const spmv_threads *threads,
                              spmv_error *err);

/* Checks types, sizes and pointers, and reads no array. */
spmv_status spmv_matrix_check_sizes(const spmv_csr *csr, spmv_error *err);

/* The row of entry k of a checked matrix: the last row that begins there or before. */
int64_t spmv_row_of_entry(const spmv_csr *csr, int64_t k);

#endif
