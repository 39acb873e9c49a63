/* matrix_check.h: whether a caller's CSR describes a matrix. The caller's arrays are read only once
 * the sizes that bound them have been checked. Errors name the first bad row or entry, whatever the
 * number of threads. */
#ifndef SPMV_MATRIX_CHECK_H
#define SPMV_MATRIX_CHECK_H

#include "runtime/core/threads/team.h"

/* Checks sizes and pointers, and reads no array. */
spmv_status spmv_sizes_check(const spmv_csr *csr, size_t value_bytes, size_t value_alignment,
                             spmv_error *err);

/* Whether the offsets between row_ptr's first and last never decrease. */
spmv_status spmv_row_ptr_check(const spmv_csr *csr, const spmv_threads *threads, spmv_error *err);

/* Checks every column. */
spmv_status spmv_columns_check(const spmv_csr *csr, const spmv_threads *threads, spmv_error *err);

/* The row of entry k of a checked matrix: the last row that begins there or before. */
int64_t spmv_row_of_entry(const spmv_csr *csr, int64_t k);

#endif
