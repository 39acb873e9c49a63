/* matrix.h: a matrix in memory, with the value type, row-pointer type and base that one asks for.
 *
 * A bench_matrix owns its arrays and lends them as an spmv_csr. Once made it is not changed here,
 * so any number of readers may use it at the same time.
 */
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/spmv_module.h"

typedef struct bench_matrix {
    spmv_csr csr;                /* points at the arrays below */
    void *row_ptr;
    int32_t *col_idx;
    void *val;
} bench_matrix;

/* Arrays of the right sizes, with nothing in them. SPMV_OVERFLOW where nnz does not fit. */
spmv_status bench_matrix_create(int64_t rows, int64_t cols, int64_t nnz, int32_t base,
                                spmv_offset_type offset_type, spmv_value_type value_type,
                                bench_matrix **out);
void bench_matrix_destroy(bench_matrix *matrix);                 /* NULL is fine */

/* The same matrix in other types; values are rounded. */
spmv_status bench_matrix_convert(const spmv_csr *from, int32_t base, spmv_offset_type offset_type,
                                 spmv_value_type value_type, bench_matrix **out);

/* ---- looking at any CSR -------------------------------------------------------------------- */

int64_t bench_csr_offset(const spmv_csr *csr, int64_t row);     /* entries before the row */
double bench_csr_value(const spmv_csr *csr, int64_t k);
double bench_value(spmv_value_type type, const void *values, int64_t index);
size_t bench_value_bytes(spmv_value_type type);
size_t bench_offset_bytes(spmv_offset_type type);

typedef struct bench_row_lengths {
    int64_t min, max, empty;     /* all 0 where there are no rows */
    double average;
} bench_row_lengths;

bench_row_lengths bench_csr_row_lengths(const spmv_csr *csr);

/* The least that one y = alpha*A*x + beta*y moves with A in CSR: A, x and y once, y twice where it
 * is read. The same for all methods, so that rates compare times. */
double bench_csr_bytes(const spmv_csr *csr, int reads_y);

/* ---- building row after row ---------------------------------------------------------------- */

/* A failure inside is remembered and told by bench_builder_finish. */
typedef struct bench_builder bench_builder;

bench_builder *bench_builder_create(int64_t cols);               /* NULL: out of memory */
void bench_builder_add(bench_builder *builder, int64_t col, double value);   /* to the open row */
void bench_builder_end_row(bench_builder *builder);

/* Makes an f64 matrix with 64-bit row pointers from 0 of the rows ended so far, and destroys the
 * builder in any case. */
spmv_status bench_builder_finish(bench_builder *builder, bench_matrix **out);

#endif
