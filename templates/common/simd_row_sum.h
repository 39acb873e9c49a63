/* simd_row_sum.h: one row's sum, LANES nonzeros at once, in ACCUMULATORS vectors that are added in
 * a fixed order at the row's end. */
#ifndef SPMV_COMMON_SIMD_ROW_SUM_H
#define SPMV_COMMON_SIMD_ROW_SUM_H

#include "../prelude/simd.h"
#include "simd_fetch_ahead.h"
#include "simd_x_at.h"

/* The sum of the nonzeros [begin, end). */
DEVICE real row_sum(const i32 *col_idx, const real *val, const real *xb, i64 begin, i64 end)
{
    vreal sum[ACCUMULATORS];
    i64 k = begin;

    UNROLL
    for (i32 a = 0; a < ACCUMULATORS; a++)
        sum[a] = v_zero();

    for (; k + ACCUMULATORS * LANES <= end; k += ACCUMULATORS * LANES) {
        UNROLL
        for (i32 a = 0; a < ACCUMULATORS; a++) {
            fetch_ahead(val + k + a * LANES);
            fetch_ahead(col_idx + k + a * LANES);
            sum[a] = v_fma(v_load(val + k + a * LANES), x_at(xb, col_idx + k + a * LANES), sum[a]);
        }
    }
    for (; k + LANES <= end; k += LANES)
        sum[0] = v_fma(v_load(val + k), x_at(xb, col_idx + k), sum[0]);

    /* The last nonzeros fill part of a vector; its other lanes are 0 * 0. */
    if (k < end) {
        const i32 rest = (i32)(end - k);
        sum[0] = v_fma(v_load_first(val + k, rest), v_collect_first(xb, col_idx + k, rest), sum[0]);
    }

    UNROLL
    for (i32 a = 1; a < ACCUMULATORS; a++)
        sum[0] = v_add(sum[0], sum[a]);
    return v_sum(sum[0]);
}

#endif
