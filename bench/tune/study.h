/* study.h: the search for better values of one method and value type, and the validation of what it
 * finds:
 *
 *     candidates   the page, points beside it, random points (space.h), compiled by the sweep
 *     halving      on the matrices of the search (halving.h)
 *     pruning      each changed value is put back by itself: what gains nothing is dropped
 *     validation   against the page, on the other matrices, in several passes (judge.h)
 */
#ifndef BENCH_TUNE_STUDY_H
#define BENCH_TUNE_STUDY_H

#include "bench/tune/judge.h"
#include "bench/tune/kernels.h"
#include "bench/tune/problems.h"
#include "bench/tune/space.h"
#include "bench/tune/tune.h"
#include "runtime/spmv.h"

typedef struct bench_study {
    const bench_tune *tune;
    const bench_space *space;
    bench_problems *problems;    /* of the value type */
    bench_kernels kernels;
    bench_point *point;          /* of each candidate; the page is the first */
    size_t count, room;
    double search_until, prune_until, until;     /* bench_seconds */

    /* the result */
    bench_point best;
    double search_speed;         /* over the page's, on all matrices of the search; NaN: unknown */
    double gain[BENCH_MAX_AXES];     /* of a changed value alone: the speed with it over that with
                                        the page's value, all else equal; NaN: unknown, or with the
                                        page's value the kernel does not run */
    bench_interval *validation;  /* of each matrix of the validation */
    bench_judgement judgement;
} bench_study;

/* The number of candidates that a study of so many seconds can measure. */
size_t bench_study_candidates(double seconds);

/* Searches among `most` candidates until about `until` (bench_seconds). Prints what it finds. The
 * study can be freed in any case. Failed: a sentence is in error. */
bench_study_status bench_study_run(const bench_tune *tune, const bench_space *space,
                                   bench_problems *problems, size_t most, double until,
                                   bench_study *out, spmv_error *error);
void bench_study_free(bench_study *study);               /* all zero is fine */

#endif
