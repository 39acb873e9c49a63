/* x_gather.h: the rate at which this machine reads x at the columns of a matrix: the yardstick of
 * matrices with irregular columns.
 *
 * A gather reads the columns of a CSR from beginning to end and adds up x at these columns. It
 * reads no values and no row pointers and writes no y. A method that stores each column and reads x
 * separately for each nonzero is hardly faster. Other storage can be: windows and diagonals read
 * whole vectors of x and one column for many nonzeros. On a machine with several memory nodes, CSR
 * and x lie on the node of the thread that made them.
 *
 * The fastest variant depends on the CPU; compare with the fastest. One thread at a time may run a
 * gather.
 */
#ifndef BENCH_X_GATHER_H
#define BENCH_X_GATHER_H

#include "bench/matrices/matrix.h"

typedef enum bench_x_gather_variant {
    BENCH_X_GATHER_LOADS,          /* a load for each value of x, columns in pairs */
    BENCH_X_GATHER_PREFETCHED,     /* the same with prefetches of x, which helps if x is large */
    BENCH_X_GATHER_AVX512,         /* gather instructions of AVX-512 */
    BENCH_X_GATHER_VARIANTS
} bench_x_gather_variant;

typedef struct bench_x_gather {
    const spmv_csr *csr;         /* with valid columns */
    const void *x;               /* cols values of the matrix's type */
    bench_x_gather_variant variant;
    int threads;
    double sum;                  /* of the last run */
} bench_x_gather;

/* Whether this CPU and this compiler support the variant. */
int bench_x_gather_is_supported(bench_x_gather_variant variant);

/* The run of a bench_runner; the context is a bench_x_gather. Returns 0. */
int bench_x_gather_run(void *context);

#endif
