/* params.h: default values, with which the template compiles as it stands. */
#ifndef SPMV_SYMMETRIC_PARAMS_H
#define SPMV_SYMMETRIC_PARAMS_H

#include "../prelude/types.h"

typedef f64 real;
typedef i32 offset;

enum {
    FIGURES = 1,
    LANES = 4,
    BLOCK_ROWS = 512,
    SEGMENTS = 64,
    SEGMENT_REACHES = 6,
    LEAST_FULL = 75,
    LEAST_RUN_VALUES = 100,
    FETCH_AHEAD = 4096
};

#endif
