/* simt_item_sum.h: the sum that one work-item forms. Each pass issues LOADS independent loads, then
 * adds in order, so a work-item waits for memory once for LOADS entries. In the last pass, the
 * first entry of the pass replaces entries past the end, which costs no traffic, and is not added
 * again: there is no branch. */
#ifndef SPMV_COMMON_SIMT_ITEM_SUM_H
#define SPMV_COMMON_SIMT_ITEM_SUM_H

#include "../prelude/simt.h"

enum { LOADS = 4 };

/* Returns sum plus the products of entries k, k + stride, ... before end, added in this order. */
DEVICE real sum_products(real sum, GLOBAL const i32 *col, GLOBAL const real *val,
                         GLOBAL const real *xb, i32 k, i32 end, i32 stride)
{
    for (; k < end; k += LOADS * stride) {
        i32 column[LOADS];
        real value[LOADS];
        real x[LOADS];

        column[0] = i32_stream(col, k);
        value[0] = r_stream(val, k);
        UNROLL
        for (i32 i = 1; i < LOADS; i++) {
            const i32 at = k + i * stride < end ? k + i * stride : k;
            column[i] = i32_stream(col, at);
            value[i] = r_stream(val, at);
        }
        UNROLL
        for (i32 i = 0; i < LOADS; i++)
            x[i] = x_read(xb, column[i]);
        sum = r_fma(value[0], x[0], sum);
        UNROLL
        for (i32 i = 1; i < LOADS; i++)
            sum = k + i * stride < end ? r_fma(value[i], x[i], sum) : sum;
    }
    return sum;
}

/* The sum of values k, k + stride, ... before end, added in this order. */
DEVICE real sum_values(GLOBAL const real *part, i64 k, i64 end, i32 stride)
{
    real sum = 0;

    for (; k < end; k += LOADS * stride) {
        real value[LOADS];

        value[0] = part[k];
        UNROLL
        for (i32 i = 1; i < LOADS; i++)
            value[i] = part[k + i * stride < end ? k + i * stride : k];
        sum = sum + value[0];
        UNROLL
        for (i32 i = 1; i < LOADS; i++)
            sum = k + i * stride < end ? sum + value[i] : sum;
    }
    return sum;
}

#endif
