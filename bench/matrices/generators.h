/* generators.h: matrices made from a name and parameters, as in model:rmat:20:16.
 *
 * Unlike a shape, which has one size, a generator has a few parameters with names. The same name,
 * parameters and seed give the same matrix on every machine: f64, 64-bit row pointers from 0. The
 * columns of a row ascend and differ. Tables are constant, so any number of threads may build at
 * once.
 */
#ifndef BENCH_GENERATORS_H
#define BENCH_GENERATORS_H

#include <stddef.h>
#include <stdint.h>

#include "bench/matrices/matrix.h"

enum { BENCH_MAX_PARAMETERS = 4 };

typedef struct bench_parameter {
    const char *name;            /* for messages and lists; NULL behind the last one */
    int64_t least, most;
    int64_t typical;             /* where it is not given; 0 may mean "as many as rows" */
    const char *const *words;    /* the value is the index of one of these words, NULL-terminated;
                                    NULL: a number */
} bench_parameter;

typedef struct bench_generator {
    const char *name;
    const char *meaning;
    bench_parameter parameter[BENCH_MAX_PARAMETERS + 1];

    /* Sizes of the matrix; nnz may be a little too large. */
    void (*measure)(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz);
    spmv_status (*build)(const int64_t *value, uint64_t seed, bench_matrix **out);
} bench_generator;

const bench_generator *bench_generators(size_t *count);
const bench_generator *bench_generator_find(const char *name);   /* NULL: no such generator */

#endif
