/* product.h: the product of a race: y = alpha*A*x + beta*y, that with the transpose of A, with
 * narrower values, or with several vectors, which are the columns of X and Y. X and Y have no gaps:
 * the leading dimension is the number of columns, or the length of a vector. Pure functions. */
#ifndef BENCH_PRODUCT_H
#define BENCH_PRODUCT_H

#include <stdbool.h>

#include "bench/matrices/matrix.h"
#include "bench/race/options.h"
#include "runtime/spmv.h"

typedef struct bench_product {
    bool transposed;             /* by the transpose of A */
    int32_t columns;             /* vectors, 1 or more */
    spmv_order order;            /* of X and Y */
    spmv_value_type values;      /* narrower than x and y: values of A are rounded to it, and plans
                                    are created from them; 0: values have the type of x and y */
} bench_product;

/* What the command line asks for. */
bench_product bench_product_of(const bench_options *options);

/* "row" or "column" for several vectors, else "". */
const char *bench_product_order_text(const bench_product *product);

/* "f32", "f16" or "bf16" for narrower values, else "". */
const char *bench_product_values_text(const bench_product *product);

/* Values of a column of X and of Y: columns and rows of A, or the reverse. */
int64_t bench_product_inputs(const bench_product *product, const spmv_csr *csr);
int64_t bench_product_outputs(const bench_product *product, const spmv_csr *csr);

/* Bytes of Y. */
size_t bench_product_y_bytes(const bench_product *product, const spmv_csr *csr);

/* Bytes that a multiplication moves beside A: X and Y once, Y twice if it is read. */
double bench_product_vector_bytes(const bench_product *product, const spmv_csr *csr, bool reads_y);

/* These, and A in CSR once. The number is the same for all methods, so that rates compare times. */
double bench_product_bytes(const bench_product *product, const spmv_csr *csr, bool reads_y);

/* ---- X and Y: matrices of `length` x columns values ------------------------------------------ */

/* The leading dimension. */
int64_t bench_product_ld(const bench_product *product, int64_t length);

/* Copy a column from and to a vector without gaps. bytes: of a value. */
void bench_product_put(const bench_product *product, int64_t length, size_t bytes, int32_t column,
                       const void *vector, void *matrix);
void bench_product_get(const bench_product *product, int64_t length, size_t bytes, int32_t column,
                       const void *matrix, void *vector);

/* As bench_permute and bench_unpermute, for each column. */
void bench_product_permute(const bench_product *product, const int32_t *order, int64_t length,
                           size_t bytes, const void *natural, void *ordered);
void bench_product_unpermute(const bench_product *product, const int32_t *order, int64_t length,
                             size_t bytes, const void *ordered, void *natural);

#endif
