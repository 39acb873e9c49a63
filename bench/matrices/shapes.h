/* shapes.h: generated matrices: adversarial shapes, which break wrong kernels, and models of real
 * matrices, for timing.
 *
 * A shape is a name and a function of a size and a seed; `meaning` states what the size counts. The
 * same name, size and seed give the same matrix on every machine: f64, 64-bit row pointers from 0.
 * Tables are constant, so any number of threads may build at once.
 */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include <stddef.h>
#include <stdint.h>

#include "bench/matrices/matrix.h"

typedef struct bench_shape {
    const char *name;
    const char *meaning;         /* what it is, and what `size` counts */
    int64_t typical;             /* size for timing */
    int64_t smallest;            /* the smallest legal size */
    int64_t quick;               /* the largest size with only some 10000 entries or rows */
    spmv_status (*build)(const void *parameters, int64_t size, uint64_t seed, bench_matrix **out);
    const void *parameters;      /* constant; one function builds several shapes */
} bench_shape;

/* Tables of adversarial shapes, whose size mostly counts nonzeros, and of models, whose size mostly
 * counts rows. */
const bench_shape *bench_adversarial_shapes(size_t *count);
const bench_shape *bench_model_shapes(size_t *count);

const bench_shape *bench_shape_find(const char *name);           /* in both; NULL: no such shape */

/* SPMV_INVALID_ARGUMENT: the size is too small. */
spmv_status bench_shape_build(const bench_shape *shape, int64_t size, uint64_t seed,
                              bench_matrix **out);

#endif
