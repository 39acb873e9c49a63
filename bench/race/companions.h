/* companions.h: products beside that of a race. Each contender computes them by the same method, in
 * the same rounds, so that times compare. */
#ifndef BENCH_COMPANIONS_H
#define BENCH_COMPANIONS_H

#include "bench/race/contender.h"

#include "runtime/spmv.h"

typedef enum bench_companion_kind {
    BENCH_OF_A,                  /* by A, where the race is of the transpose */
    BENCH_OF_ONE,                /* of one vector, where the race is of several */
    BENCH_OF_TYPE,               /* with the values as they are, where the race rounds them */
    BENCH_COMPANIONS
} bench_companion_kind;

/* A product, and for each contender of the race one of the same method. */
typedef struct bench_companion {
    bench_problem problem;
    bench_contender *contenders; /* NULL: the race has no such companion */
    bench_runner *runners;       /* as bench_report.runners */
} bench_companion;

/* Makes the companions of a product with `count` contenders. False: a sentence is in error. */
bool bench_companions_create(const bench_options *options, const bench_problem *main, size_t count,
                             bench_companion out[BENCH_COMPANIONS], spmv_error *error);

/* Prepare contender `index`. */
void bench_companions_prepare(bench_companion companion[BENCH_COMPANIONS], size_t index,
                              const bench_candidate *candidate, int threads);
void bench_companions_prepare_peer(bench_companion companion[BENCH_COMPANIONS], size_t index,
                                   const spmv_peer *peer, int threads, int expected_runs);

void bench_companions_destroy(bench_companion companion[BENCH_COMPANIONS], size_t count);

#endif
