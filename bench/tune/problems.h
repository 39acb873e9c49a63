/* problems.h: the problems of a search, each made when it is first asked for, and kept as long as
 * memory allows: every rung races on the same matrices. */
#ifndef BENCH_TUNE_PROBLEMS_H
#define BENCH_TUNE_PROBLEMS_H

#include "bench/inputs/inputs.h"
#include "bench/race/problem.h"
#include "runtime/spmv.h"

typedef struct bench_problems {
    const bench_options *options;
    const bench_inputs *inputs;
    const char *type;
    bench_problem *problem;      /* of each input; not made: all zero */
} bench_problems;

/* False: out of memory. */
bool bench_problems_begin(const bench_options *options, const bench_inputs *inputs,
                          const char *type, bench_problems *out);
void bench_problems_end(bench_problems *problems);       /* all zero is fine */

/* The problem of an input; it may go when another one is asked for. NULL: a sentence is in
 * error. */
const bench_problem *bench_problems_get(bench_problems *problems, size_t input, spmv_error *error);

#endif
