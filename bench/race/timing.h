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

#include <stddef.h>

double bench_seconds(void);      /* a steady clock */

typedef struct bench_runner {
    int (*run)(void *context);   /* nonzero: failed; ends the race */
    void *context;
    /* set by the race */
    size_t samples;
    double median, fastest;      /* seconds of one run */
} bench_runner;

typedef struct bench_race {
    double seconds;              /* for each runner, untimed runs included */
    size_t rounds;               /* exact number; 0: as the time allows, at least 5 */
} bench_race;

/* Returns 0, -1 if memory runs out, or the nonzero result of a runner. */
int bench_race_run(const bench_race *race, bench_runner *runners, size_t count);

/* The median of `count` numbers, which it sorts; 0 if there are none. */
double bench_median(double *numbers, size_t count);

#endif
