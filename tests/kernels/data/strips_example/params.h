/* params.h: the parameters of the example of docs/methods/strips.md. */
#ifndef TEST_STRIPS_EXAMPLE_PARAMS_H
#define TEST_STRIPS_EXAMPLE_PARAMS_H

typedef f64 real;
typedef i32 offset;

enum {
    LANES = EXAMPLE_LANES,
    CHUNK_WEIGHT = 16384,
    SLICE_ROWS = LANES,
    BOUNDARY = 4,
    DIAGONAL_ROWS = LANES,
    NARROW_SPAN = 65536,
    ACCUMULATORS = 2,
    COLUMN_ROWS = 4,
    FETCH_AHEAD = 4096,
    PREFETCH_LEVEL = 1,
    EXPAND_WITH_TABLE = 0,
    X_AHEAD = 0,
    X_FAR = 3145728,
    NARROW_VALUES = 1,
    TABLE_VALUES = LANES,
    NARROW_FAR = 0,
    NARROW_NEAR = 0,
    PAD_NEAR = 33554432,
    GATHER = 0,
    SEVERAL_VECTORS = 1,
    FIGURES = 1
};

#endif
