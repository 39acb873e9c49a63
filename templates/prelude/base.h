/* base.h: the words that every template may use, in plain C.
 *
 * A template compiles as it stands against these definitions. When it is specialised, each word is
 * written as the dialect's or the instruction set's table says (targets/dialects, targets/isa); a
 * word that no table has is emitted from its definition here, so this file is also the reference
 * that the tables must agree with.
 *
 * The method's params.h comes first: it gives `real` (the value type), `offset` (the type of row
 * pointers) and one enumerator per parameter.
 */
#ifndef SPMV_PRELUDE_BASE_H
#define SPMV_PRELUDE_BASE_H

#include "types.h"
#include "params.h"

/* ---- qualifiers ---------------------------------------------------------------------------- */

#define KERNEL static           /* a function that is launched over a range of chunks */
#define DEVICE static inline    /* a function that kernels call */
#define FETCHER static inline   /* one that does nothing but fetch: GCC drops calls of what has no
                                   effect, if it has not put it in line before it sees that it has
                                   none */
#define GLOBAL                  /* before a pointer's type: it points to the device's memory */
#define RESTRICT restrict
#define UNROLL                  /* stands before a `for`: write its iterations out */
#define LENGTH(text)            /* before a kernel's pointer parameter: its extent */

/* ---- arithmetic ---------------------------------------------------------------------------- */

/* a*b + c. One rounding where the instruction set has it, two where it has not: never left to the
 * compiler, so that the same module gives the same bits however it is compiled. */
DEVICE real r_fma(real a, real b, real c)
{
    return a * b + c;
}

/* y[row] = alpha*sum + beta*y[row]; beta == 0 never reads y, so a NaN in it does not survive. */
DEVICE void y_store(GLOBAL real *y, i32 row, real sum, real alpha, real beta)
{
    if (beta == 0)
        y[row] = alpha * sum;
    else
        y[row] = r_fma(alpha, sum, beta * y[row]);
}

/* y[row] = beta*y[row], for a row to which nothing is added. */
DEVICE void y_scale(GLOBAL real *y, i32 row, real beta)
{
    y[row] = beta == 0 ? (real)0 : beta * y[row];
}

DEVICE i64 i64_min(i64 a, i64 b)
{
    return a < b ? a : b;
}

DEVICE i64 i64_max(i64 a, i64 b)
{
    return a > b ? a : b;
}

DEVICE i64 i64_ceil_div(i64 a, i64 b)
{
    return (a + b - 1) / b;
}

/* Number of zero bits below the lowest set bit; bits != 0. */
DEVICE i32 u32_trailing_zeros(u32 bits)
{
    i32 count = 0;
    while (!(bits & 1u)) {
        bits >>= 1;
        count++;
    }
    return count;
}

/* What stands at p will be read soon: may bring it nearer, whatever p is. */
DEVICE void prefetch(const void *p)
{
    (void)p;
}

/* The same, not quite as near: into the second cache where there is one. */
DEVICE void prefetch_l2(const void *p)
{
    (void)p;
}

/* Number of bits that are set. */
DEVICE i32 u32_popcount(u32 bits)
{
    i32 count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* x such that x_rebase(x, base)[c] is the entry of a column c counted from base. */
DEVICE GLOBAL const real *x_rebase(GLOBAL const real *x, i32 base)
{
    return (GLOBAL const real *)((uptr)x - (uptr)base * (uptr)sizeof(real));
}

#endif
