/* simd_row_sum.h: row_sum with the number of vectors of sums of a row of the vCSR part. */
#ifndef SPMV_EVC_HYB_SIMD_ROW_SUM_H
#define SPMV_EVC_HYB_SIMD_ROW_SUM_H

#include "../prelude/base.h"

/* row_sum's parameter, which this method derives from its own. */
enum { ACCUMULATORS = ITEMS_PER_ROW / LANES };

#include "../common/simd_row_sum.h"
#include "layout_constant.h"

/* row_sum with x or A constant: the same vectors, in the same order. */
DEVICE real row_sum_of_ones(const i32 *col_idx, const real *val, const real *xb, i64 begin, i64 end)
{
    vreal sum[ACCUMULATORS];
    i64 k = begin;

    UNROLL
    for (i32 a = 0; a < ACCUMULATORS; a++)
        sum[a] = v_zero();
    for (; k < end; k += ACCUMULATORS * LANES) {
        UNROLL
        for (i32 a = 0; a < ACCUMULATORS; a++) {
            const i64 at = k + a * LANES;

            if (at + LANES <= end)
                sum[a] = v_fma(A_IS_ONE ? v_all(1) : v_load(val + at),
                               X_IS_ONE ? v_all(1) : x_at(xb, col_idx + at), sum[a]);
            else if (at < end)
                sum[a] = v_fma(A_IS_ONE ? v_first(v_all(1), (i32)(end - at))
                                        : v_load_first(val + at, (i32)(end - at)),
                               X_IS_ONE ? v_first(v_all(1), (i32)(end - at))
                                        : v_collect_first(xb, col_idx + at, (i32)(end - at)),
                               sum[a]);
        }
    }
    UNROLL
    for (i32 a = 1; a < ACCUMULATORS; a++)
        sum[0] = v_add(sum[0], sum[a]);
    return v_sum(sum[0]);
}

#endif
