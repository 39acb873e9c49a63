/* simd_vectors.h: definitions that the kernels of all storages share. */
#ifndef SPMV_STRIPS_SIMD_VECTORS_H
#define SPMV_STRIPS_SIMD_VECTORS_H

#include "../prelude/simd.h"

/* The arguments of one multiplication. */
typedef struct strips_vectors {
    const real *x;
    real *y;
    real *part;                  /* sums of the parts of split rows */
    i64 cols;                    /* values of x */
    real alpha, beta;
    bool fetches_x;              /* x is large enough to be prefetched */
    bool fetches_into_l2;        /* diagonals are prefetched into the second-level cache */
} strips_vectors;

#endif
