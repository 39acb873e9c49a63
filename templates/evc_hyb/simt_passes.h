/* simt_passes.h: the sum that one work-item forms of entries that are `stride` apart. A pass is
 * LOADS of them, whose loads are issued together. PASSES passes are under way: the place of a pass
 * is loaded again as soon as its entries were added. */
#ifndef SPMV_EVC_HYB_SIMT_PASSES_H
#define SPMV_EVC_HYB_SIMT_PASSES_H

#include "../prelude/simt.h"
#include "../common/layout_columns.h"
#include "../common/simt_item_sum.h"
#include "../common/simt_wide_load.h"
#include "layout_constant.h"

enum { PASSES = TURNS > 1 ? 2 : 1 };

/* x[column], through the read-only cache with READ_ONLY_X; 1 with X_IS_ONE. */
DEVICE real x_value(GLOBAL const real *xb, i32 column)
{
    return X_IS_ONE ? (real)1 : READ_ONLY_X ? x_read(xb, column) : x_load(xb, column);
}

/* Loads entries k, k + stride, ..., LOADS of them; entry k in place of those from `end` on. */
DEVICE void load_pass(bool is_narrow, i32 *column, real *value, const column_source *from,
                      GLOBAL const real *val, i32 k, i32 end, i32 stride)
{
    UNROLL
    for (i32 i = 0; i < LOADS; i++) {
        const i32 at = k + i * stride < end ? k + i * stride : k;

        column[i] = X_IS_ONE ? 0 : load_column(from->wide, from->narrow, is_narrow, at);
        value[i] = A_IS_ONE ? (real)1 : r_stream(val, at);
    }
}

/* Returns sum plus the products of entries k, k + stride, ... before end, added in this order. A
 * literal as is_narrow makes a loop for columns of this kind. */
DEVICE real sum_in_passes(bool is_narrow, real sum, const column_source *from,
                          GLOBAL const real *val, i32 k, i32 end, i32 stride)
{
    const i32 pass = LOADS * stride;
    i32 column[PASSES][LOADS];
    real value[PASSES][LOADS];

    UNROLL
    for (i32 t = 0; t < PASSES; t++) {
        if (k + t * pass < end)
            load_pass(is_narrow, column[t], value[t], from, val, k + t * pass, end, stride);

        /* Compilers do not see that the place of a turn without entries is never read. */
        UNROLL
        for (i32 i = 0; i < LOADS; i++) {
            if (k + t * pass >= end) {
                column[t][i] = 0;
                value[t][i] = 0;
            }
        }
    }
    for (; k < end; k += PASSES * pass) {
        UNROLL
        for (i32 t = 0; t < PASSES; t++) {
            const i32 first = k + t * pass;
            const i32 next = first + PASSES * pass;

            if (first < end) {
                real x[LOADS];

                UNROLL
                for (i32 i = 0; i < LOADS; i++)
                    x[i] = x_value(from->xb, column[t][i]);
                UNROLL
                for (i32 i = 0; i < LOADS; i++)
                    sum = first + i * stride < end ? r_fma(value[t][i], x[i], sum) : sum;
                if (next < end)
                    load_pass(is_narrow, column[t], value[t], from, val, next, end, stride);
            }
        }
    }
    return sum;
}

#endif
