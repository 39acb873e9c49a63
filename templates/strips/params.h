/* params.h: default values, with which the template compiles as it stands. The specialiser replaces
 * this file by a target's values; params.lua says what each parameter means. */
#ifndef SPMV_STRIPS_PARAMS_H
#define SPMV_STRIPS_PARAMS_H

#include "../prelude/types.h"

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 4,
    CHUNK_WEIGHT = 16384,
    SLICE_ROWS = 8,
    BOUNDARY = 128,
    DIAGONAL_ROWS = 8,
    NARROW_SPAN = 65536,
    ACCUMULATORS = 2,
    COLUMN_ROWS = 4,
    FETCH_AHEAD = 4096,
    PREFETCH_LEVEL = 1,
    EXPAND_WITH_TABLE = 0,
    X_AHEAD = 0,
    X_FAR = 3145728,
    NARROW_VALUES = 1,
    TABLE_VALUES = 4,
    NARROW_FAR = 33554432,
    NARROW_NEAR = 0,
    PAD_NEAR = 2097152,
    GATHER = 0,
    SEVERAL_VECTORS = 1,         /* 0 with --one-vector: no kernels for several vectors */
    FIGURES = 1                  /* set by --figures, not by a target: emit layout statistics? */
};

#endif
