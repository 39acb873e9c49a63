/* structure.h: the structure of a matrix and of its values, as far as it decides which method suits
 * it. Computed in one thread, in time that is linear in the nonzeros; columns may be unsorted.
 * Places that repeat count once, except in nnz and in the lengths of rows. */
#ifndef BENCH_STRUCTURE_H
#define BENCH_STRUCTURE_H

#include <stdbool.h>

#include "bench/inspect/values.h"
#include "bench/matrices/matrix.h"

enum { BENCH_BLOCK_LEAST = 2, BENCH_BLOCK_MOST = 4,
       BENCH_BLOCK_EDGES = BENCH_BLOCK_MOST - BENCH_BLOCK_LEAST + 1, BENCH_WINDOW = 4 };

typedef struct bench_blocks {
    double full;                 /* share of places in full blocks */
    double fill;                 /* places with an entry over those of all blocks that have one */
} bench_blocks;

typedef struct bench_structure {
    int64_t rows, cols, nnz;
    int64_t places;              /* that have an entry */
    bench_row_lengths lengths;
    int64_t half_rows;           /* the fewest rows that hold half of the entries */
    int64_t empty_cols;

    bool symmetric;              /* A and A^T have the same places */
    bool symmetric_values;       /* A = A^T */
    bool skew_values;            /* A = -A^T */
    int64_t lower, upper;        /* bandwidths: the largest row - column, and column - row; at
                                    least 0 */
    double profile;              /* sum of row - first column over the rows where it is above 0 */
    int64_t on_diagonal;         /* places on the main diagonal */
    int64_t diagonals;           /* that have an entry */
    double on_full_diagonals;    /* share of places on diagonals that are at least half full */

    bench_blocks block[BENCH_BLOCK_EDGES];   /* aligned squares, by rising edge */
    double run;                  /* average length of a run of consecutive columns */
    double window;               /* share of places with an entry in windows: BENCH_WINDOW
                                    consecutive columns of a row, from left to right as entries need
                                    them */
    int64_t unsorted_rows, duplicates;
    bench_values values;
} bench_structure;

/* Shares are 0 without entries. */
spmv_status bench_structure_compute(const spmv_csr *csr, bench_structure *out);

#endif
