/* simd_vectors.h: definitions that the kernels of all storages share. */
#ifndef STRIPS_SIMD_VECTORS_H
#define STRIPS_SIMD_VECTORS_H

#include "../prelude/simd.h"

/* The arguments of one multiplication. */
typedef struct strips_vectors {
    const real *x;
    real *y;
    real *part;                  /* sums of the parts of split rows */
    real alpha, beta;
    bool fetches_x;              /* x is large enough to be prefetched */
    bool are_values_far;         /* the values are more than caches hold */
} strips_vectors;

#endif
