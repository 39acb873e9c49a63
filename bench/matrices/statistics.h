/* statistics.h: what decides how fast a matrix can be multiplied, as numbers: how long its rows
 * are, and which places of x they read. For comparing a model with what it models.
 *
 * Distances are measured from a row's place on the diagonal that leads from the first corner of the
 * matrix to the last: column row*cols/rows.
 */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include "bench/matrices/matrix.h"

/* Points of a distribution of row lengths, in a million rows. */
enum { BENCH_QUANTILES = 13, BENCH_LONGEST = 8 };
extern const int32_t bench_quantile_points[BENCH_QUANTILES];

typedef struct bench_statistics {
    int64_t rows, cols, nnz;
    int64_t quantile[BENCH_QUANTILES];   /* lengths; the first is the least, the last the most */
    int64_t longest[BENCH_LONGEST];      /* the longest rows, in falling order; -1: none */
    double empty;                /* share of rows */
    double repeated;             /* share of rows that are as long as the row before */
    double run;                  /* entries in a row of consecutive columns, on average */
    double distance;             /* average |column - place on the diagonal|, over cols */
    double near;                 /* share of entries within 64 columns of that place */
    double kept;                 /* share of entries whose column, or the one left of it, the row
                                    before has, too */
    double lines;                /* distinct 64-byte lines of an f64 x that 64 rows read, over
                                    their entries */
    double fresh;                /* share of those lines that the 64 rows before did not read */
    double hubs;                 /* share of entries in the fullest 1 % of the columns */
} bench_statistics;

/* Columns may be in any order. */
spmv_status bench_statistics_take(const spmv_csr *csr, bench_statistics *out);

#endif
