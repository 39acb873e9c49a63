/* params.h: default values, with which the template compiles as it stands. The specialiser replaces
 * this file by a target's values; params.lua says what each parameter means. */
#ifndef SPMV_CSR5_PARAMS_H
#define SPMV_CSR5_PARAMS_H

#include "../prelude/types.h"

typedef f64 real;
typedef i32 offset;

enum {
    OMEGA = 4,
    LANES = 4,
    SIGMA = 0,
    R = 4,
    S = 32,
    T = 256,
    U = 4,
    FETCH_AHEAD = 4096,
    GATHER = 0,
    SEGMENTED_SUM = 0,
    FAST_TRACK = 1,
    WORK_GROUP_SIZE = 256,
    SUBGROUP_SIZE = 1,
    RESIDENT_GROUPS = 1,
    LOAD_WIDTH = 1,
    VALUE_WIDTH = 1,
    NARROW_SPAN = 65536,
    CHUNK_TILES = 64,
    FIGURES = 1                  /* set by --figures, not by a target: emit layout statistics? */
};

#endif
