/* timing.h: a race: several runners timed against each other in interleaved rounds.
 *
 * Noise (other processes, clock speed, memory refresh) changes within seconds. So the runners take
 * turns: each round times every runner once, and noise affects all of them. Medians of samples are
 * compared, never single samples.
 *
 * A sample imitates a solver that repeats the same work: some untimed runs, which refill the caches
 * after the other runners, and then as many timed runs as the clock needs to be exact. One untimed
 * run is not enough: a Xeon with a last-level cache of 480 MB held all of a 48 MB matrix only after
 * four to eight runs, during which the rate rose from 16 to 40 GB/s. With fewer untimed runs,
 * runners that share their input would warm the caches for each other and look faster than runners
 * with memory of their own.
 *
 * One thread runs a race; the runners may use any number of threads.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/race/interval.h"

double bench_seconds(void);      /* a steady clock */

typedef struct bench_runner {
    int (*run)(void *context);   /* nonzero: failed; ends the race */
    void *context;
    const struct bench_runner *other;    /* one of the runners, to compare with; NULL: none */
    /* set by the race */
    size_t samples;
    double fastest;              /* seconds of one run */
    bench_interval time;         /* the same */
    bench_interval ratio;        /* time of the baseline over this time, in the same rounds */
    bench_interval other_ratio;  /* time of `other` over this time, likewise */
} bench_runner;

typedef struct bench_race {
    double seconds;              /* for each runner, untimed runs included */
    size_t rounds;               /* exact number; 0: as the time allows, at least 6 */
    const bench_runner *baseline;    /* one of the runners; NULL: ratios are unknown */

    /* With `until`, the time of rounds is spent where the noise is: after some rounds of all
     * runners, only the first `compared` runners whose ratio's interval is wider than `bound` on
     * each side go on, with the baseline, until none is left or until this bench_seconds. */
    double until;                /* 0: as `seconds` and `rounds` say */
    double bound;                /* relative: 0.02 is 2 % */
    size_t compared;
    bool (*is_over)(void);       /* asked after each run; true ends the race; NULL: never */
    void (*progress)(void *context, double done);    /* after each round; `done`: 0 to 1; or NULL */
    void *progress_context;
} bench_race;

/* Returns 0, -1 if memory runs out, or the nonzero result of a runner. A race that is_over ended
 * returns 0; a runner without a sample then has median 0. */
int bench_race_run(const bench_race *race, bench_runner *runners, size_t count);

#endif
