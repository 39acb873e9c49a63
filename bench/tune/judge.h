/* judge.h: whether a candidate is better than the page, by races on matrices that the search did
 * not see. Pure functions of the races' results. */
#ifndef BENCH_TUNE_JUDGE_H
#define BENCH_TUNE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/race/interval.h"

/* A candidate is better if its mean speed over the page's is at least `least_gain`, if the mean of
 * the lower ends of the intervals is above 1, and if no matrix is slower than `most_loss` beyond
 * its noise. */
typedef struct bench_bounds {
    double least_gain, most_loss;        /* 1.01 and 0.98 */
} bench_bounds;

extern const bench_bounds bench_tune_bounds;

typedef struct bench_judgement {
    bench_interval speed;        /* geometric means over the matrices; median 0: there are none */
    size_t matrices;
    size_t least;                /* the number of the matrix with the lowest speed */
    bool is_better;
    char reason[160];            /* why it is not; or "" */
} bench_judgement;

/* speed: of each matrix, the candidate's over the page's; a median of 0 does not count. */
bench_judgement bench_judge(const bench_bounds *bounds, const bench_interval *speed, size_t count);

/* Which changed values stay, by the gain of each alone: those that gain 0.3 % or more, those
 * without which the kernel does not run (NaN), and at least one. */
void bench_keep_values(const double *gain, size_t count, bool *keep);

/* One interval from those of several races of one matrix: the geometric mean of their medians, and
 * the ends that are farthest apart. Races with median 0 do not count. */
bench_interval bench_join_races(const bench_interval *race, size_t count);

#endif
