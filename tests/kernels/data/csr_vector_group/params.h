/* params.h: CSR-vector with a whole work-group for each row. */
#ifndef TEST_CSR_VECTOR_GROUP_PARAMS_H
#define TEST_CSR_VECTOR_GROUP_PARAMS_H

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 8,
    ACCUMULATORS = 2,
    SCALAR_BELOW = 0,
    FETCH_AHEAD = 0,
    GATHER = 0,
    WORK_GROUP_SIZE = 64,
    WHOLE_GROUP = TEST_WHOLE_GROUP,
    SUBGROUP_SIZE = 1,
    RESIDENT_GROUPS = 1,
    CHUNK_WEIGHT = 1024,
    SEVERAL_VECTORS = 0
};

#endif
