/* series.h: `--lookalike all`: the shapes that a method has to be good at, one after the other, and what
 * they come to together.
 */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/race/options.h"
#include "bench/peers/peers.h"

/* Whether the options ask for the series. */
bool bench_is_series(const bench_options *options);

/* The options for one matrix of it, 0 to bench_series_count() - 1. */
size_t bench_series_count(void);
bench_options bench_series_options(const bench_options *options, size_t index);

/* What came out of one matrix; all zero: nothing did. */
typedef struct bench_standing {
    char own[64];                /* the fastest method that may be held against peers, and its target */
    double own_seconds;          /* 0: none was right */
    double peer_seconds[BENCH_MAX_PEERS];    /* in the order of the peers; 0: not timed */
    double flops;
    bool is_noisy;               /* the machine was busy meanwhile */
} bench_standing;

/* Of the whole series, a standing for each matrix in its order: a line each, then one for each peer, and
 * the summary: harmonic means of ratios, which count slow cases most; and of speeds. */
void bench_series_print(const bench_standing *standing, const bench_peers *peers, FILE *out);

#endif
