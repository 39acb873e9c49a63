#ifndef TEST_TOY_PARAMS_H
#define TEST_TOY_PARAMS_H

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 2,
    DEPTH = 1,
    ORDER = 0
};

#endif
