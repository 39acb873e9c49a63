/* simd_row_sum.h: the sum of a row whose columns have 32 bits. */
#ifndef SPMV_STRIPS_SIMD_ROW_SUM_H
#define SPMV_STRIPS_SIMD_ROW_SUM_H

#include "../common/simd_fetch_ahead.h"
#include "../common/simd_x_at.h"
#include "simd_values.h"

/* The sum of `length` entries. Adds in the order of csr_vector. */
INLINED real coded_row_sum(const i32 kind, const i32 *col, const value_cursor *val, const real *x,
                           i64 length)
{
    vreal sum[ACCUMULATORS];
    i64 k = 0;

    UNROLL
    for (i32 a = 0; a < ACCUMULATORS; a++)
        sum[a] = v_zero();

    for (; k + ACCUMULATORS * LANES <= length; k += ACCUMULATORS * LANES) {
        UNROLL
        for (i32 a = 0; a < ACCUMULATORS; a++) {
            if (fetches_values(kind))
                fetch_ahead(value_place(kind, val, k + a * LANES));
            fetch_ahead(col + k + a * LANES);
            sum[a] = v_fma(load_values(kind, val, k + a * LANES), x_at(x, col + k + a * LANES),
                           sum[a]);
        }
    }
    for (; k + LANES <= length; k += LANES)
        sum[0] = v_fma(load_values(kind, val, k), x_at(x, col + k), sum[0]);

    /* The last entries fill part of a vector; its other lanes are 0 * 0. */
    if (k < length) {
        const i32 rest = (i32)(length - k);
        sum[0] = v_fma(load_first_values(kind, val, k, rest), v_collect_first(x, col + k, rest),
                       sum[0]);
    }

    UNROLL
    for (i32 a = 1; a < ACCUMULATORS; a++)
        sum[0] = v_add(sum[0], sum[a]);
    return v_sum(sum[0]);
}

#endif
