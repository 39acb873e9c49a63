/* params.h: default values, with which the template compiles as it stands. The specialiser replaces
 * this file by a target's values; params.lua says what each parameter means. */
#ifndef SPMV_CSR_VECTOR_PARAMS_H
#define SPMV_CSR_VECTOR_PARAMS_H

#include "../prelude/types.h"

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 4,
    ACCUMULATORS = 2,
    SCALAR_BELOW = 4,
    FETCH_AHEAD = 4096,
    GATHER = 0,
    WORK_GROUP_SIZE = 256,
    WHOLE_GROUP = 0,
    SUBGROUP_SIZE = 1,
    RESIDENT_GROUPS = 1,
    CHUNK_WEIGHT = 16384,
    SEVERAL_VECTORS = 1          /* 0 with --one-vector: no kernels for several vectors */
};

#endif
