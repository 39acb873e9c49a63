/* transposing.h: the matrix for a module that multiplies by the transpose (ops->transposes).
 *
 * The properties of the suite are those of y = alpha*A*x + beta*y. Such a module gets the transpose
 * of A, so that its product is the same. */
#ifndef TEST_TRANSPOSING_H
#define TEST_TRANSPOSING_H

#include <stdbool.h>

#include "bench/matrices/matrix.h"

typedef struct transposing {
    bench_matrix *matrix;        /* the transpose */
    int64_t *source;             /* its entry k is entry source[k] of the matrix */
} transposing;

/* The transpose, in the matrix's base and types. False: out of memory. */
bool transposing_create(const spmv_csr *csr, transposing *out);
void transposing_destroy(transposing *t);                        /* all zero is fine */

/* Values of the matrix in the order of the transpose, and back. */
void transposing_order(const transposing *t, const void *val, void *out);
void transposing_restore(const transposing *t, const void *val, void *out);

/* The matrix's columns, from those of the transpose; -1 where one of these is wrong. */
void transposing_restore_columns(const transposing *t, const int32_t *col_idx, int32_t *out);

#endif
