/* params.h: default values, with which the template compiles as it stands. The specialiser replaces
 * this file by a target's values; params.lua says what each parameter means. */
#ifndef SPMV_SPECULATIVE_PARAMS_H
#define SPMV_SPECULATIVE_PARAMS_H

#include "../prelude/types.h"

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 4,
    T = 8,
    B = 4,
    W = 16,
    WORK_GROUP_SIZE = 32,
    SUBGROUP_SIZE = 1,
    RESIDENT_GROUPS = 1,
    S = 6,
    FETCH_AHEAD = 4096,
    X_AHEAD = 0,
    X_FAR = 3145728,
    GATHER = 0,
    REPAIR = 0,
    DIRTY_COUNTER = 0,
    BORDERS = 0,
    FIGURES = 1                  /* set by --figures, not by a target: emit layout statistics? */
};

#endif
