/* transpose.h: the transpose of a matrix. */
#ifndef BENCH_TRANSPOSE_H
#define BENCH_TRANSPOSE_H

#include "bench/matrices/matrix.h"

/* Entries of a row are in the order of the rows that they come from. The transpose has base 0 and
 * the types of the matrix. */
spmv_status bench_matrix_transpose(const spmv_csr *csr, bench_matrix **out);

#endif
