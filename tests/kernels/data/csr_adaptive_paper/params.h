/* params.h: the values of the CSR-Adaptive paper for FirePro W9100 in f64. */
#ifndef TEST_CSR_ADAPTIVE_PAPER_PARAMS_H
#define TEST_CSR_ADAPTIVE_PAPER_PARAMS_H

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 64,
    ACCUMULATORS = 2,
    FETCH_AHEAD = 0,
    X_AHEAD = 0,
    X_FAR = 0,
    GATHER = 0,
    WORK_GROUP_SIZE = 256,
    SUBGROUP_SIZE = 1,
    RESIDENT_GROUPS = 1,
    NNZ_PER_WG = 1536,
    ITEM_LOADS = 6,
    NNZ_MULTIPLIER = 2,
    NUM_ROWS_STREAM = 3,
    SCALAR_ROWS = 129,
    LONG_ROW = 128,
    SHORT_ROW = 32,
    FIGURES = 1
};

#endif
