/* tune.h: what all studies of a run of `spmvbench tune` have in common. */
#ifndef BENCH_TUNE_TUNE_H
#define BENCH_TUNE_TUNE_H

#include "bench/inputs/inputs.h"
#include "bench/report/progress.h"
#include "bench/tune/holdout.h"

/* Steps of a study that a progress line counts. */
enum { BENCH_STUDY_STEPS = 3 };

typedef struct bench_tune {
    const bench_options *options;
    const bench_inputs *inputs;
    const bench_holdout *holdout;
    const char *target;          /* a word of the command line */
    int threads;
    bench_progress *progress;
} bench_tune;

typedef enum bench_study_status {
    BENCH_STUDY_DONE,            /* the judgement says whether it is better */
    BENCH_STUDY_INTERRUPTED, BENCH_STUDY_FAILED
} bench_study_status;

#endif
