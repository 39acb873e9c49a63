/* simd_columns_row_sum.h: row_sum of several vectors at once.
 *
 * row_sum adds an entry to one of ACCUMULATORS * LANES sums. Here each of these sums is a vector of
 * columns, too many for the registers. So the entries of the row are walked LANES / SUM_LANES
 * times, each time for SUM_LANES lanes of all accumulators.
 */
#ifndef SPMV_COMMON_SIMD_COLUMNS_ROW_SUM_H
#define SPMV_COMMON_SIMD_COLUMNS_ROW_SUM_H

#include "simd_columns.h"
#include "simd_fetch_ahead.h"

enum { SUM_LANES = LANES % (COLUMN_ROWS / 2) == 0 ? COLUMN_ROWS / 2 : 1 };

/* The value of the entry at `val`. */
DEVICE real row_value(const real *val)
{
    return *val;
}

/* v_sum of the lanes in `part`, into the first lane. */
INLINED void sum_lanes(vreal *part, column_shape c)
{
    for (i32 width = LANES / 2; width > 0; width /= 2)
        for (i32 i = 0; i < width; i++)
            add_sums(part + i * COLUMN_VECTORS, part + (i + width) * COLUMN_VECTORS, c);
}

/* Adds the products of SUM_LANES entries to as many sums. */
INLINED void add_entries(const i32 *col, const real *val, const real *x, i64 stride, column_shape c,
                         vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++)
        add_columns(row_value(val + i), x + col[i] * stride, c, sum + i * COLUMN_VECTORS);
}

/* The last entries of a row fill part of a vector; its other lanes are 0 * 0. `rest`: entries from
 * val on, which may be 0 or less. */
INLINED void add_last_entries(const i32 *col, const real *val, const real *x, i64 stride, i64 rest,
                              column_shape c, vreal *sum)
{
    vreal zero[COLUMN_VECTORS];

    clear_columns(zero);
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++) {
        if (i < rest)
            add_columns(row_value(val + i), x + col[i] * stride, c, sum + i * COLUMN_VECTORS);
        else
            add_sums(sum + i * COLUMN_VECTORS, zero, c);
    }
}

/* The sums of SUM_LANES lanes of a row, from lane `lane` on; the accumulators are added. */
INLINED void row_lane_sums(const i32 *col_idx, const real *val, const real *x, i64 stride,
                           i64 begin, i64 end, i32 lane, column_shape c, vreal *part)
{
    vreal sum[ACCUMULATORS * SUM_LANES * COLUMN_VECTORS];
    i64 k = begin;

    UNROLL
    for (i32 i = 0; i < ACCUMULATORS * SUM_LANES; i++)
        clear_columns(sum + i * COLUMN_VECTORS);
    for (; k + ACCUMULATORS * LANES <= end; k += ACCUMULATORS * LANES) {
        UNROLL
        for (i32 a = 0; a < ACCUMULATORS; a++) {
            fetch_ahead(val + k + a * LANES + lane);
            fetch_ahead(col_idx + k + a * LANES + lane);
            add_entries(col_idx + k + a * LANES + lane, val + k + a * LANES + lane, x, stride, c,
                        sum + a * SUM_LANES * COLUMN_VECTORS);
        }
    }
    for (; k + LANES <= end; k += LANES)
        add_entries(col_idx + k + lane, val + k + lane, x, stride, c, sum);
    if (k < end)
        add_last_entries(col_idx + k + lane, val + k + lane, x, stride, end - k - lane, c, sum);
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++) {
        UNROLL
        for (i32 a = 1; a < ACCUMULATORS; a++)
            add_sums(sum + i * COLUMN_VECTORS, sum + (a * SUM_LANES + i) * COLUMN_VECTORS, c);
        copy_sums(part + i * COLUMN_VECTORS, sum + i * COLUMN_VECTORS, c);
    }
}

/* The sums of the entries [begin, end) of a row. x is indexed by col_idx. */
INLINED void row_columns_sum(const i32 *col_idx, const real *val, const real *x, i64 stride,
                             i64 begin, i64 end, column_shape c, vreal *sum)
{
    vreal part[LANES * COLUMN_VECTORS];

    for (i32 lane = 0; lane < LANES; lane += SUM_LANES)
        row_lane_sums(col_idx, val, x, stride, begin, end, lane, c, part + lane * COLUMN_VECTORS);
    sum_lanes(part, c);
    copy_sums(sum, part, c);
}

#endif
