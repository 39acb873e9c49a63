/* params.h: default values, with which the template compiles as it stands. The specialiser replaces
 * this file by a target's values; params.lua says what each parameter means. */
#ifndef SPMV_SLICES_PARAMS_H
#define SPMV_SLICES_PARAMS_H

#include "../prelude/types.h"

typedef f64 real;
typedef i32 offset;

enum {
    WORK_GROUP_SIZE = 128,
    SUBGROUP_SIZE = 1,
    RESIDENT_GROUPS = 1,
    SLICE_ROWS = 32,
    LOAD_WIDTH = 1,
    VALUE_WIDTH = 1,
    TURN = 4,
    SORT_WINDOW = 1024,
    LANE_ENTRIES = 32,
    LEAST_LANE_ENTRIES = 8,
    BUSY_SLICES = 8192,
    SPLIT_AT = 1024,
    NARROW_SPAN = 65536,
    RUNS = 4,
    DIAGONAL_ROWS = 16,
    FIGURES = 1                  /* set by --figures, not by a target: emit layout statistics? */
};

#endif
