/* spy.h: where the nonzeros of a matrix are: a grid of cells with shades. */
#ifndef BENCH_SPY_H
#define BENCH_SPY_H

#include <stdint.h>

#include "bench/matrices/matrix.h"

enum { BENCH_SPY_SHADES = 9, BENCH_SPY_RECORD = 48 };    /* cells a side in records */

typedef struct bench_spy {
    int32_t rows, cols;          /* of cells; 0 if the matrix has no rows or columns */
    uint8_t *shade;              /* row by row: 0 for an empty cell, up to BENCH_SPY_SHADES for one
                                    as full as the fullest, on a logarithmic scale */
} bench_spy;

/* Fills a grid of at most max_rows x max_cols cells that has about the form of the matrix, but no
 * side below a quarter of its maximum, unless the matrix is smaller. */
spmv_status bench_spy_create(const spmv_csr *csr, int32_t max_rows, int32_t max_cols,
                             bench_spy *out);
void bench_spy_destroy(bench_spy *spy);                  /* all zero is fine */

#endif
