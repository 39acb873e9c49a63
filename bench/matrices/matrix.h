/* matrix.h: a matrix in memory, with a chosen value type, row-pointer type and base.
 *
 * A bench_matrix owns its arrays and lends them as an spmv_csr. It is constant once made, so any
 * number of threads may read it.
 */
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/spmv_module.h"

typedef struct bench_matrix {
    spmv_csr csr;                /* points to the arrays below */
    void *row_ptr;
    int32_t *col_idx;
    void *val;
} bench_matrix;

/* Allocates the arrays, uninitialised. SPMV_OVERFLOW: nnz does not fit the offset type. */
spmv_status bench_matrix_create(int64_t rows, int64_t cols, int64_t nnz, int32_t base,
                                spmv_offset_type offset_type, spmv_value_type value_type,
                                bench_matrix **out);
void bench_matrix_destroy(bench_matrix *matrix);                 /* NULL is fine */

/* Copies a matrix into other types; values are rounded. */
spmv_status bench_matrix_convert(const spmv_csr *from, int32_t base, spmv_offset_type offset_type,
                                 spmv_value_type value_type, bench_matrix **out);

/* ---- looking at any CSR -------------------------------------------------------------------- */

int64_t bench_csr_offset(const spmv_csr *csr, int64_t row);     /* entries before the row */
int64_t bench_csr_length(const spmv_csr *csr, int64_t row);     /* entries of the row */
double bench_csr_value(const spmv_csr *csr, int64_t k);
double bench_value(spmv_value_type type, const void *values, int64_t index);
size_t bench_value_bytes(spmv_value_type type);
size_t bench_offset_bytes(spmv_offset_type type);

typedef struct bench_row_lengths {
    int64_t min, max, empty;     /* all 0 without rows */
    double average;
} bench_row_lengths;

bench_row_lengths bench_csr_row_lengths(const spmv_csr *csr);

/* The least bytes that one y = alpha*A*x + beta*y moves with A in CSR: A, x and y once, y twice if
 * it is read. The number is the same for all methods, so that rates compare times. */
double bench_csr_bytes(const spmv_csr *csr, int reads_y);

/* ---- building row after row ---------------------------------------------------------------- */

/* bench_builder_finish reports the first failure of any of these functions. */
typedef struct bench_builder bench_builder;

bench_builder *bench_builder_create(int64_t cols);               /* NULL: out of memory */
void bench_builder_add(bench_builder *builder, int64_t col, double value);   /* to the open row */
void bench_builder_end_row(bench_builder *builder);

/* Makes an f64 matrix with 64-bit row pointers and base 0 of the rows ended so far. Always destroys
 * the builder. */
spmv_status bench_builder_finish(bench_builder *builder, bench_matrix **out);

#endif
