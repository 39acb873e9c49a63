/* shapes.h: matrices made on the spot: adversarial ones, that break kernels, and models of real
 * ones, that time them.
 *
 * A shape is a name and a function of a size and a seed; what the size counts is the shape's own.
 * The same name, size and seed give the same matrix everywhere: f64, 64-bit row pointers from 0.
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
    int64_t typical;             /* a size to try */
    int64_t smallest;            /* the smallest legal size */
    int64_t quick;               /* the largest size of a few times 10000 entries or rows */
    spmv_status (*build)(int64_t size, uint64_t seed, bench_matrix **out);
} bench_shape;

/* Adversarial shapes, size mostly in nonzeros; models, size mostly in rows. */
const bench_shape *bench_adversarial_shapes(size_t *count);
const bench_shape *bench_model_shapes(size_t *count);

const bench_shape *bench_shape_find(const char *name);           /* of both; NULL: no such shape */

/* SPMV_INVALID_ARGUMENT where the size is too small. */
spmv_status bench_shape_build(const bench_shape *shape, int64_t size, uint64_t seed,
                              bench_matrix **out);

#endif
