/* params.h: default values, with which the template compiles as it stands. The specialiser replaces
 * this file by a target's values; params.lua says what each parameter means. */
#ifndef SPMV_CSR_ADAPTIVE_PARAMS_H
#define SPMV_CSR_ADAPTIVE_PARAMS_H

#include "../prelude/types.h"

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 4,
    ACCUMULATORS = 2,
    FETCH_AHEAD = 4096,
    X_AHEAD = 0,
    X_FAR = 3145728,
    GATHER = 0,
    WORK_GROUP_SIZE = 256,
    SUBGROUP_SIZE = 1,
    RESIDENT_GROUPS = 1,
    NNZ_PER_WG = 512,
    ITEM_LOADS = 8,
    NNZ_MULTIPLIER = 2,
    NUM_ROWS_STREAM = 3,
    SCALAR_ROWS = 64,
    LONG_ROW = 128,
    SHORT_ROW = 32,
    FIGURES = 1                  /* set by --figures, not by a target: emit layout statistics? */
};

#endif
