/* series.h: the summary over the matrices of a run. */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/peers/peers.h"

/* The result of one matrix; all zero: no result. */
typedef struct bench_series_result {
    char name[64];               /* of the matrix, perhaps cut */
    char own[64];                /* the fastest comparable method, and its target */
    double own_seconds;          /* 0: no method was correct */
    double peer_seconds[BENCH_MAX_PEERS];    /* in the order of the peers; 0: not timed */
    double flops;
    bool is_noisy;               /* the machine was busy */
} bench_series_result;

/* Prints a line for each matrix, a line for each peer, and the summary: harmonic means of ratios,
 * in which slow cases count most, and of speeds. results[i] belongs to matrix i. */
void bench_series_print(const bench_series_result *results, size_t count, const bench_peers *peers,
                        FILE *out);

#endif
