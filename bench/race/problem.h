/* problem.h: what spmvbench multiplies: the matrix that the command line names, x, y before the
 * multiplication, and what the result must be. Owns all of it; constant once made. */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "bench/race/options.h"
#include "bench/race/reference.h"
#include "bench/race/source.h"

typedef struct bench_problem {
    bench_source source;
    bench_reference *reference;
    void *x;                     /* cols values */
    void *before;                /* rows values: y before; all NaN where beta is 0 */
    double alpha, beta;
} bench_problem;

/* False, with a sentence in message, on any failure; then nothing is kept. */
bool bench_problem_create(const bench_options *options, bench_problem *out, char *message,
                          size_t message_bytes);
void bench_problem_destroy(bench_problem *problem);              /* all zero is fine */

#endif
