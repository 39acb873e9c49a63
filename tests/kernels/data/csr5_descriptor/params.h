/* params.h: the parameters of csr5_descriptor.c. */
#ifndef TEST_CSR5_DESCRIPTOR_PARAMS_H
#define TEST_CSR5_DESCRIPTOR_PARAMS_H

typedef f64 real;
typedef i32 offset;

enum {
    OMEGA = TEST_OMEGA,
    LANES = OMEGA,
    SIGMA = 0,                   /* the test tries every sigma */
    R = 1,
    S = 64,
    T = 64,
    U = 1,
    FETCH_AHEAD = 0,
    GATHER = 0,
    SEGMENTED_SUM = 0,
    FAST_TRACK = 1,
    WORK_GROUP_SIZE = 1,
    LOAD_WIDTH = 1,
    VALUE_WIDTH = 1,
    NARROW_SPAN = 65536,
    CHUNK_TILES = 64,
    FIGURES = 0
};

#endif
