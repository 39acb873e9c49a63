/* float_control.h: how a thread rounds and treats subnormal numbers. */
#ifndef SPMV_FLOAT_CONTROL_H
#define SPMV_FLOAT_CONTROL_H

#if !SPMV_BUNDLE
#include "runtime/base/float_registers.h"
#endif

#ifndef SPMV_FLOAT_REGISTERS

#include <fenv.h>

typedef fenv_t spmv_float_control;

static inline void spmv_float_control_get(spmv_float_control *control)
{
    fegetenv(control);
}

/* Saves this thread's control in *own and takes over *wanted. */
static inline void spmv_float_control_enter(const spmv_float_control *wanted,
                                            spmv_float_control *own)
{
    fegetenv(own);
    fesetenv(wanted);
}

/* Restores *own. */
static inline void spmv_float_control_leave(const spmv_float_control *own)
{
    fesetenv(own);
}

#endif

#endif
