/* x_gather.h: how fast this machine reads x at a matrix's columns, as the yardstick of a matrix whose columns are
 * irregular.
 *
 * A collection reads the columns of a CSR from beginning to end and adds up x there: no values, no rows, no y. What
 * keeps each column and reads x for each nonzero by itself is hardly faster. It is no bound for storage that does
 * neither: windows and diagonals read x by whole vectors, and columns by the dozen. On a machine with several memories,
 * CSR and x lie in that of the thread that made them.
 *
 * Ways differ in what suits a CPU; compare with the fastest. The owner runs a collection from one thread at a time.
 */
#ifndef BENCH_X_GATHER_H
#define BENCH_X_GATHER_H

#include "bench/matrices/matrix.h"

typedef enum bench_collect_way {
    BENCH_COLLECT_LOADS,         /* each value of x by itself, columns two by two */
    BENCH_COLLECT_FETCHES,       /* the same; x is fetched ahead, which helps where it is large */
    BENCH_COLLECT_GATHERS,       /* by AVX-512's instruction, where the CPU has it */
    BENCH_COLLECT_WAYS
} bench_collect_way;

typedef struct bench_collection {
    const spmv_csr *csr;         /* of valid columns */
    const void *x;               /* cols values of the matrix's type */
    bench_collect_way way;
    int threads;
    double sum;                  /* of the last run */
} bench_collection;

/* Whether this CPU and compiler have that way. */
int bench_collect_has(bench_collect_way way);

/* A bench_runner's run, of a bench_collection; always 0. */
int bench_collect_run(void *context);

#endif
