/* simd_columns_lanes.h: multiplies the lanes of a strip of STRIP_LANES by several vectors.
 *
 * A row of a slice has one sum. LANE_GROUP rows are added at once, so that their sums need not
 * wait for each other, and the slice is read once for each such group of rows.
 */
#ifndef STRIPS_SIMD_COLUMNS_LANES_H
#define STRIPS_SIMD_COLUMNS_LANES_H

#include "../common/simd_columns.h"
#include "../common/simd_fetch_ahead.h"
#include "layout.h"
#include "simd_lanes.h"

enum { LANE_GROUP = SLICE_ROWS % COLUMN_ROWS == 0 ? COLUMN_ROWS : 1 };

/* The value of the entry at `val`. */
DEVICE real lane_value(const real *val)
{
    return *val;
}

/* The row of X of entry k of a slice. */
INLINED const real *lane_x(const lane_cursor *at, const real *x, i64 stride, bool is_wide, i32 k)
{
    return x + (is_wide ? at->wide[k] : (i32)at->narrow[k]) * stride;
}

INLINED void advance_lanes(lane_cursor *at, bool is_wide, i32 entries)
{
    at->val += entries;
    if (is_wide)
        at->wide += entries;
    else
        at->narrow += entries;
}

/* Adds the products of lanes [lane, lane + LANE_GROUP) of a slice to sum, and advances *at to the
 * slice's end if lane is 0. x: X from the slice's base on. */
INLINED void add_lane_rows(const lane_slice *slice, const real *x, i64 stride, column_shape c,
                           bool is_wide, i32 lane, lane_cursor *at, vreal *sum)
{
    for (i32 k = 0; k < slice->shortest; k++) {
        fetch_soon(at->val + lane);
        UNROLL
        for (i32 r = 0; r < LANE_GROUP; r++)
            add_columns(lane_value(at->val + lane + r), lane_x(at, x, stride, is_wide, lane + r), c,
                        sum + r * COLUMN_VECTORS);
        advance_lanes(at, is_wide, SLICE_ROWS);
    }
    /* Lanes are sorted by falling length. */
    for (i32 k = slice->shortest; k < slice->longest; k++) {
        const i32 active = *at->count++;
        if (active <= lane)
            break;
        fetch_soon(at->val + lane);
        UNROLL
        for (i32 r = 0; r < LANE_GROUP; r++)
            if (lane + r < active)
                add_columns(lane_value(at->val + lane + r),
                            lane_x(at, x, stride, is_wide, lane + r), c, sum + r * COLUMN_VECTORS);
        advance_lanes(at, is_wide, active);
    }
}

/* Multiplies a slice, whose rows are `count` rows in the order; advances *at to its end. */
INLINED void multiply_lane_slice(const lane_slice *slice, const column_operands *v, column_shape c,
                                 i32 row, const u16 *order, i32 count, lane_cursor *at)
{
    const lane_cursor begin = *at;

    for (i32 lane = 0; lane < SLICE_ROWS && lane < count; lane += LANE_GROUP) {
        vreal sum[LANE_GROUP * COLUMN_VECTORS];
        lane_cursor here = begin;

        UNROLL
        for (i32 r = 0; r < LANE_GROUP; r++)
            clear_columns(sum + r * COLUMN_VECTORS);
        if (slice->base == WIDE)
            add_lane_rows(slice, v->x, v->x_stride, c, true, lane, &here, sum);
        else
            add_lane_rows(slice, v->x + slice->base * v->x_stride, v->x_stride, c, false, lane,
                          &here, sum);
        if (lane == 0)
            *at = here;
        UNROLL
        for (i32 r = 0; r < LANE_GROUP; r++)
            if (lane + r < count)
                store_columns(v, row + order[lane + r], c, sum + r * COLUMN_VECTORS);
    }
}

#endif
