/* product.h: the product of a race, y = alpha*A*x + beta*y or that with the transpose of A, and its
 * sizes. Pure functions. */
#ifndef BENCH_PRODUCT_H
#define BENCH_PRODUCT_H

#include <stdbool.h>

#include "bench/matrices/matrix.h"
#include "bench/race/options.h"

typedef struct bench_product {
    bool transposed;             /* by the transpose of A */
} bench_product;

/* What the command line asks for. */
bench_product bench_product_of(const bench_options *options);

/* Values of x and of y: columns and rows of A, or the reverse. */
int64_t bench_product_inputs(const bench_product *product, const spmv_csr *csr);
int64_t bench_product_outputs(const bench_product *product, const spmv_csr *csr);

/* Bytes of y, which is one vector. */
size_t bench_product_y_bytes(const bench_product *product, const spmv_csr *csr);

/* Bytes that a multiplication moves beside A: x and y once, y twice if it is read. */
double bench_product_vector_bytes(const bench_product *product, const spmv_csr *csr, bool reads_y);

/* These, and A in CSR once. The number is the same for all methods, so that rates compare times. */
double bench_product_bytes(const bench_product *product, const spmv_csr *csr, bool reads_y);

#endif
