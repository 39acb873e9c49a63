/* trial.h: races kernels on one matrix against the page's, in heats that the memory of a machine
 * holds: every heat has the page's kernel, so that speeds of several heats can be compared. */
#ifndef BENCH_TUNE_TRIAL_H
#define BENCH_TUNE_TRIAL_H

#include "bench/race/interval.h"
#include "bench/race/problem.h"
#include "bench/tune/kernels.h"
#include "runtime/spmv.h"

typedef struct bench_trial {
    const bench_kernels *kernels;
    int threads;
    double seconds;              /* for all heats; each has at least 6 rounds */
    double bound;                /* a speed that is known so well is no longer measured */
    bool page_last;              /* in each round; else the page is first */
    void (*progress)(void *context, double done);    /* 0 to 1; NULL: none */
    void *progress_context;
} bench_trial;

typedef enum bench_trial_status {
    BENCH_TRIAL_DONE,
    BENCH_TRIAL_DECLINED,        /* the page's kernel does not take the matrix */
    BENCH_TRIAL_FAILED           /* a sentence is in error */
} bench_trial_status;

/* Measures the speed of the kernels with these values over that of the page's kernel, by the time
 * of both in the same rounds. Median 0: the kernel is not there, does not take the matrix, is wrong
 * (which is reported on stderr), or an interruption came first. */
bench_trial_status bench_trial_run(const bench_trial *trial, const bench_problem *problem,
                                   const char *const *set, size_t count, bench_interval *speed,
                                   spmv_error *error);

#endif
