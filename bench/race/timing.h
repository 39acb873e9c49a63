/* timing.h: a race: several pieces of work timed against each other in interleaved rounds.
 *
 * Noise (other processes, clock speed, memory refresh) comes and goes in seconds. So the runners
 * take turns: each round times every runner once, and all of them meet the same weather. Medians of
 * samples are compared, never single ones.
 *
 * A sample is what a solver sees that runs the same work again and again: some untimed runs, which
 * bring back what the other runners pushed out of the caches, and then as many timed runs as the
 * clock needs to be exact. One untimed run is not enough: a large last-level cache that keeps what
 * comes again (a Xeon's of 480 MB) had all of a 48 MB matrix after four to eight runs, in which the rate
 * rose from 16 to 40 GB/s. With fewer, runners that share their input would warm it for each other,
 * and look faster than those with memory of their own.
 *
 * A race is run by one thread; the runners may use as many as they like.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stddef.h>

double bench_seconds(void);      /* a steady clock */

typedef struct bench_runner {
    int (*run)(void *context);   /* nonzero: failed, and the race ends */
    void *context;
    /* set by the race */
    size_t samples;
    double median, fastest;      /* seconds of one run */
} bench_runner;

typedef struct bench_race {
    double seconds;              /* time that each runner gets, untimed runs included */
    size_t rounds;               /* exactly so many; 0: as many as the time allows, at least 5 */
} bench_race;

/* 0, -1 without memory, or what a runner returned. */
int bench_race_run(const bench_race *race, bench_runner *runners, size_t count);

/* The middle of count numbers, which are put in order; 0 where there are none. */
double bench_median(double *numbers, size_t count);

#endif
