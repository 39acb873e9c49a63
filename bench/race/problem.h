/* problem.h: the problem of a race: the matrix that the command line names, x, the initial y, and
 * the reference. A problem owns all of them, and is constant once made. */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "bench/race/options.h"
#include "bench/race/reference.h"
#include "bench/race/source.h"

typedef struct bench_problem {
    bench_source source;
    bench_reference *reference;
    void *x;                     /* cols values */
    void *before;                /* rows values: the initial y; all NaN if beta is 0 */
    double alpha, beta;
} bench_problem;

/* On failure returns false with a sentence in message and keeps nothing. */
bool bench_problem_create(const bench_options *options, bench_problem *out, char *message,
                          size_t message_bytes);
void bench_problem_destroy(bench_problem *problem);              /* all zero is fine */

#endif
