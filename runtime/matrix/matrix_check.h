/* matrix_check.h: whether a caller's CSR describes a matrix.
 * Reads the caller's arrays only after the sizes that bound them are known to be sound. */
#ifndef SPMV_MATRIX_CHECK_H
#define SPMV_MATRIX_CHECK_H

#include "runtime/threads/team.h"

/* Types, sizes, pointers, row_ptr; with `columns`, every column index. The error names the first
 * bad place of the matrix, whatever the number of threads. */
spmv_status spmv_matrix_check(const spmv_csr *csr, int columns, const spmv_threads *threads,
                              spmv_error *err);

#endif
