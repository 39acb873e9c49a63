/* base.h: the words that every template may use, in plain C.
 *
 * A template compiles as it stands against these definitions. The specialiser writes each word as
 * the table of the dialect or of the instruction set says (targets/dialects, targets/isa). A word
 * that no table has is emitted from its definition here, so this file is also the reference that
 * the tables must agree with.
 *
 * The method's params.h declares `real` (the value type), `offset` (the type of row pointers) and
 * one enumerator for each parameter.
 */
#ifndef SPMV_PRELUDE_BASE_H
#define SPMV_PRELUDE_BASE_H

#include "types.h"
#include "params.h"

/* ---- qualifiers ---------------------------------------------------------------------------- */

#define KERNEL static           /* a function that is launched over a range of chunks */
#define DEVICE static inline    /* a function that kernels call */
#define INLINED static inline   /* a DEVICE function that compilers must inline: an argument that is
                                   constant in a call is a constant of the function's body. Also
                                   for functions that only prefetch, whose calls GCC drops */
#define GLOBAL                  /* before a pointer's type: it points to device memory */
#define RESTRICT restrict       /* no other pointer of the function reaches this memory */
#define UNROLL                  /* before a `for`: the specialiser unrolls the loop */
#define LENGTH(text)            /* before a kernel's pointer parameter: number of its elements */

/* ---- arithmetic ---------------------------------------------------------------------------- */

/* a*b + c: rounded once if the instruction set has a fused multiply-add, else twice. The table
 * decides, not the compiler, so all compilers give a module the same bits. */
DEVICE real r_fma(real a, real b, real c)
{
    return a * b + c;
}

/* y[row] = alpha*sum + beta*y[row]. If beta is 0, y is not read, so a NaN in it does not spread. */
DEVICE void y_store(GLOBAL real *y, i32 row, real sum, real alpha, real beta)
{
    if (beta == 0)
        y[row] = alpha * sum;
    else
        y[row] = r_fma(alpha, sum, beta * y[row]);
}

/* y[row] = beta*y[row]. If beta is 0, y is not read. */
DEVICE void y_scale(GLOBAL real *y, i32 row, real beta)
{
    y[row] = beta == 0 ? (real)0 : beta * y[row];
}

/* The smaller of a and b. */
DEVICE i64 i64_min(i64 a, i64 b)
{
    return a < b ? a : b;
}

/* The larger of a and b. */
DEVICE i64 i64_max(i64 a, i64 b)
{
    return a > b ? a : b;
}

/* a / b, rounded up; a >= 0, b > 0. */
DEVICE i64 i64_ceil_div(i64 a, i64 b)
{
    return (a + b - 1) / b;
}

/* Number of zero bits below the lowest set bit; bits is not 0. */
DEVICE i32 u32_trailing_zeros(u32 bits)
{
    i32 count = 0;
    while (!(bits & 1u)) {
        bits >>= 1;
        count++;
    }
    return count;
}

/* Hint that the memory at p will be read soon. Any address is allowed. */
DEVICE void prefetch(const void *p)
{
    (void)p;
}

/* As prefetch, into the second-level cache. */
DEVICE void prefetch_l2(const void *p)
{
    (void)p;
}

/* Number of set bits. */
DEVICE i32 u32_popcount(u32 bits)
{
    i32 count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* Moves x so that columns counted from `base` index the result. */
DEVICE GLOBAL const real *x_rebase(GLOBAL const real *x, i32 base)
{
    return (GLOBAL const real *)((uptr)x - (uptr)base * (uptr)sizeof(real));
}

#endif
