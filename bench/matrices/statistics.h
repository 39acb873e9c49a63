/* statistics.h: statistics of a matrix that determine the speed of its multiplication: the lengths
 * of its rows and the places of x that they read. They compare a model with its original.
 *
 * A row's place on the diagonal is column row*cols/rows.
 */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include "bench/matrices/matrix.h"

/* Points of the distribution of row lengths, in millionths of the rows. */
enum { BENCH_QUANTILES = 13, BENCH_LONGEST = 8 };
extern const int32_t bench_quantile_points[BENCH_QUANTILES];

typedef struct bench_statistics {
    int64_t rows, cols, nnz;
    int64_t quantile[BENCH_QUANTILES];   /* lengths; the first is the least, the last the most */
    int64_t longest[BENCH_LONGEST];      /* the longest rows, descending; -1: none */
    double empty;                /* share of empty rows */
    double repeated;             /* share of rows as long as the row before */
    double run;                  /* average length of a run of consecutive columns */
    double distance;             /* average distance from the diagonal, over cols */
    double near;                 /* share of entries within 64 columns of the diagonal */
    double kept;                 /* share of entries whose column, or its left neighbour, the row
                                    before has too */
    double lines;                /* distinct 64-byte lines of an f64 x that 64 rows read, over
                                    the entries of these rows */
    double fresh;                /* share of these lines that the 64 rows before did not read */
    double hubs;                 /* share of entries in the fullest 1 % of the columns */
} bench_statistics;

/* Columns may be unsorted. */
spmv_status bench_statistics_compute(const spmv_csr *csr, bench_statistics *out);

#endif
