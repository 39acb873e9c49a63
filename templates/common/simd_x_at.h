/* simd_x_at.h: loads x at LANES columns, by the gather instruction if GATHER is set. */
#ifndef SPMV_COMMON_SIMD_X_AT_H
#define SPMV_COMMON_SIMD_X_AT_H

#include "../prelude/simd.h"

DEVICE vreal x_at(const real *xb, const i32 *col)
{
    return GATHER ? v_gather(xb, col) : v_collect(xb, col);
}

/* The same for 16-bit columns. */
DEVICE vreal x_at16(const real *xb, const u16 *col)
{
    return GATHER ? v_gather16(xb, col) : v_collect16(xb, col);
}

/* Loads x at the first n columns, n > 0; lanes beyond the n-th have any values. */
DEVICE vreal x_at_first(const real *xb, const i32 *col, i32 n)
{
    (void)n;
    return GATHER && n <= LANES / 2 ? v_gather_half(xb, col) : x_at(xb, col);
}

/* The same for 16-bit columns. */
DEVICE vreal x_at16_first(const real *xb, const u16 *col, i32 n)
{
    (void)n;
    return GATHER && n <= LANES / 2 ? v_gather16_half(xb, col) : x_at16(xb, col);
}

#endif
