/* validation.h: races values that a study found against the page, on the matrices that its search
 * did not see. */
#ifndef BENCH_TUNE_VALIDATION_H
#define BENCH_TUNE_VALIDATION_H

#include "bench/tune/judge.h"
#include "bench/tune/kernels.h"
#include "bench/tune/problems.h"
#include "bench/tune/tune.h"
#include "runtime/spmv.h"

typedef struct bench_validation {
    const bench_tune *tune;
    const bench_kernels *kernels;
    bench_problems *problems;
    const char *set;             /* the values */
    double until;                /* bench_seconds, about */
    bench_interval *speed;       /* of each matrix of the validation; the caller's */
    bench_judgement *judgement;  /* the same */
} bench_validation;

/* Races in several passes with plans of their own: where a plan's memory lies changes its speed,
 * too. Fills speeds and judgement, and prints the speeds. */
bench_study_status bench_validation_run(const bench_validation *validation, spmv_error *error);

#endif
