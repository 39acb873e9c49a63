/* float_registers.h: how a thread rounds and treats subnormal numbers: x86-64's control registers.
 *
 * The C library's functions also save and load the x87 unit's state. That takes 50 ns a call, of
 * which a helper thread needs three.
 */
#ifndef SPMV_FLOAT_REGISTERS_H
#define SPMV_FLOAT_REGISTERS_H

#if defined(__GNUC__) && defined(__x86_64__)

#include <stdint.h>

#define SPMV_FLOAT_REGISTERS 1

enum { SPMV_FLOAT_FLAGS = 0x3f };        /* bits of mxcsr that report, and control nothing */

typedef struct spmv_float_control {
    uint32_t mxcsr;
    uint16_t x87;
} spmv_float_control;

static inline void spmv_float_control_get(spmv_float_control *control)
{
    control->mxcsr = __builtin_ia32_stmxcsr();
    __asm__ volatile("fnstcw %0" : "=m"(control->x87));
}

static inline void spmv_float_control_enter(const spmv_float_control *wanted,
                                            spmv_float_control *own)
{
    spmv_float_control_get(own);
    if (((own->mxcsr ^ wanted->mxcsr) & ~(uint32_t)SPMV_FLOAT_FLAGS) != 0)
        __builtin_ia32_ldmxcsr(wanted->mxcsr);
    if (own->x87 != wanted->x87)
        __asm__ volatile("fldcw %0" : : "m"(wanted->x87));
}

static inline void spmv_float_control_leave(const spmv_float_control *own)
{
    spmv_float_control now;

    spmv_float_control_get(&now);
    if (now.mxcsr != own->mxcsr)
        __builtin_ia32_ldmxcsr(own->mxcsr);
    if (now.x87 != own->x87)
        __asm__ volatile("fldcw %0" : : "m"(own->x87));
}

#endif

#endif
