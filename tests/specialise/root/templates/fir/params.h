/* params.h: default values, so that the filter compiles as it stands. */
#ifndef TEST_FIR_PARAMS_H
#define TEST_FIR_PARAMS_H

typedef f64 sample;

enum {
    WIDTH = 4,                   /* outputs at once */
    TAPS = 5,
    SYMMETRIC = 0
};

#endif
