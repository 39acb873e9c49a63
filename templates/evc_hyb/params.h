/* params.h: default values, with which the template compiles as it stands. The specialiser replaces
 * this file by a target's values; params.lua says what each parameter means. */
#ifndef SPMV_EVC_HYB_PARAMS_H
#define SPMV_EVC_HYB_PARAMS_H

#include "../prelude/types.h"

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 4,
    WORK_GROUP_SIZE = 256,
    SUBGROUP_SIZE = 1,
    RESIDENT_GROUPS = 1,
    LOAD_WIDTH = 1,
    VALUE_WIDTH = 1,
    TURNS = 1,
    BOUNDARY = 128,
    BUSY_ITEMS = 0,
    SORT_WINDOW = 0,
    NARROW_SPAN = 0,
    ALIGNMENT = 8,
    VCSR_ALIGNMENT = 1,
    ROWS_PER_ITEM = 4,
    ROWS_BY_LONGEST = 0,
    ITEMS_PER_ROW = 8,
    LEAST_ITEMS_PER_ROW = 1,
    NONZEROS_PER_ITEM = 1,
    ORDER_OF_Y = 0,
    FETCH_AHEAD = 4096,
    GATHER = 0,
    CHUNK_WEIGHT = 16384,
    SPLIT_AT = 16384,
    FIRST_GROUPS = 0,
    READ_ONLY_X = 1,
    ELL_STORAGE = 0,
    CONSTANT = 0,
    FIGURES = 1                  /* set by --figures, not by a target: emit layout statistics? */
};

#endif
