/* params.h: default values, with which the template compiles as it stands. The specialiser replaces
 * this file by a target's values; params.lua says what each parameter means. */
#ifndef SPMV_CSR_TRANSPOSED_PARAMS_H
#define SPMV_CSR_TRANSPOSED_PARAMS_H

#include "../prelude/types.h"

typedef f64 real;
typedef i32 offset;

enum {
    PART_NONZEROS = 16384,
    MOST_PARTS = 64
};

#endif
