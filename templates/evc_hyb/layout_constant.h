/* layout_constant.h: what kernels take for 1 instead of reading it, by CONSTANT (3.3 of the
 * paper). */
#ifndef SPMV_EVC_HYB_LAYOUT_CONSTANT_H
#define SPMV_EVC_HYB_LAYOUT_CONSTANT_H

#include "../prelude/base.h"

enum {
    X_IS_ONE = CONSTANT & 1,     /* nor are columns read */
    A_IS_ONE = CONSTANT >> 1
};

#endif
