/* rmat.h: an R-MAT graph (Chakrabarti, Zhan & Faloutsos, SDM 2004): a directed graph with hubs. */
#ifndef BENCH_RMAT_H
#define BENCH_RMAT_H

#include "bench/matrices/matrix.h"

/* 2^levels rows, and `degree` edges a row on average. An edge that is drawn more than once becomes
 * one entry. Values are between -1 and 1; the columns of a row ascend. */
spmv_status bench_rmat_build(int levels, int64_t degree, uint64_t seed, bench_matrix **out);

#endif
