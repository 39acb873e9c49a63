#ifndef TOY_PARAMS_H
#define TOY_PARAMS_H

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 2,
    DEPTH = 1,
    ORDER = 0
};

#endif
