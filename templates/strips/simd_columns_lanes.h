/* simd_columns_lanes.h: multiplies the lanes of a strip of STRIP_LANES by several vectors.
 *
 * A row of a slice has one sum. LANE_GROUP rows are added at once, so that their sums need not
 * wait for each other, and the slice is read once for each such group of rows.
 */
#ifndef SPMV_STRIPS_SIMD_COLUMNS_LANES_H
#define SPMV_STRIPS_SIMD_COLUMNS_LANES_H

#include "../common/simd_columns.h"
#include "../common/simd_fetch_ahead.h"
#include "layout.h"
#include "simd_lanes.h"

enum {
    LANE_GROUP = SLICE_ROWS % COLUMN_ROWS == 0 ? COLUMN_ROWS : 1,
    GROUP_SUMS = LANE_GROUP * COLUMN_VECTORS,    /* vectors of sums */
    COLUMNS_AHEAD = 4 * SLICE_ROWS               /* entries */
};

/* Places of a slice's entries; advances from slice to slice. */
typedef struct entry_cursor {
    const real *val;
    const i32 *wide;
    const u16 *narrow;
    const u8 *count;
    const i32 *wide_end;         /* X is prefetched for columns before it */
} entry_cursor;

/* Adds the product of entry r from *at on to the sums of row r of a group. */
INLINED void add_lane(const entry_cursor *at, const x_reader *v, const real *x,
                      column_shape shape, bool is_wide, i32 r, vreal *sum)
{
    const i32 col = is_wide ? at->wide[r] : (i32)at->narrow[r];

    add_columns(at->val[r], x_row(v, x, col), v->columns, shape,
                sum + r * COLUMN_VECTORS);
}

/* Prefetches X for later entries of the same lanes. Wide columns are mostly far apart, so that
 * their X is in no near cache. */
INLINED void fetch_wide_x(const entry_cursor *at, const x_reader *v, const real *x)
{
    if (at->wide_end - at->wide > COLUMNS_AHEAD + LANE_GROUP)
        for (i32 r = 0; r < LANE_GROUP; r++)
            prefetch(x_row(v, x, at->wide[COLUMNS_AHEAD + r]));
}

INLINED void advance_lanes(entry_cursor *at, bool is_wide, i32 entries)
{
    at->val += entries;
    if (is_wide)
        at->wide += entries;
    else
        at->narrow += entries;
}

/* The sums of lanes [lane, lane + LANE_GROUP) of a slice. *at is the first of these lanes, and
 * becomes the same lane of the next slice if lane is 0. x: X from the slice's base on. */
INLINED void lane_group_sums(const lane_slice *slice, const x_reader *v, const real *x,
                             column_shape shape, bool is_wide, i32 lane, entry_cursor *at,
                             real *result)
{
    vreal sum[GROUP_SUMS];

    UNROLL
    for (i32 r = 0; r < LANE_GROUP; r++)
        clear_columns(sum + r * COLUMN_VECTORS);
    for (i32 k = slice->shortest; k > 0; k--) {
        fetch_soon(at->val);
        if (is_wide)
            fetch_wide_x(at, v, x);
        UNROLL
        for (i32 r = 0; r < LANE_GROUP; r++)
            add_lane(at, v, x, shape, is_wide, r, sum);
        advance_lanes(at, is_wide, SLICE_ROWS);
    }
    /* Lanes are sorted by falling length. */
    for (i32 k = slice->longest - slice->shortest; k > 0; k--) {
        const i32 active = *at->count++;
        if (active <= lane)
            break;
        fetch_soon(at->val);
        if (is_wide)
            fetch_wide_x(at, v, x);
        UNROLL
        for (i32 r = 0; r < LANE_GROUP; r++)
            if (lane + r < active)
                add_lane(at, v, x, shape, is_wide, r, sum);
        advance_lanes(at, is_wide, active);
    }
    UNROLL
    for (i32 r = 0; r < LANE_GROUP; r++)
        write_sums(result + r * TURN_COLUMNS, sum + r * COLUMN_VECTORS, shape);
}

/* The sums of a slice of `count` rows; advances *at to the slice's end. */
INLINED void slice_sums_of_shape(const lane_slice *slice, const x_reader *v, const real *x,
                                 column_shape shape, bool is_wide, i32 count, entry_cursor *at,
                                 real *result)
{
    const entry_cursor begin = *at;

    for (i32 lane = 0; lane < count; lane += LANE_GROUP) {
        entry_cursor here = begin;
        advance_lanes(&here, is_wide, lane);
        lane_group_sums(slice, v, x, shape, is_wide, lane, &here, result + lane * TURN_COLUMNS);
        if (lane == 0)
            *at = here;
    }
}

/* base: the row of X from which columns of the slice are counted. */
INLINED void slice_sums(const lane_slice *slice, const column_operands *v, i32 base, bool is_wide,
                        i32 count, entry_cursor *at, real *result)
{
    const x_reader reader = x_reader_of(v);
    const real *x = x_row(&reader, v->x, base);

    UNROLL
    for (i32 shape = FIRST_SHAPE; shape < SHAPES_END; shape++)
        if (v->shape == shape)
            slice_sums_of_shape(slice, &reader, x, shape, is_wide, count, at, result);
}

DEVICE void wide_slice_sums(const lane_slice *slice, const column_operands *v, i32 count,
                            entry_cursor *at, real *result)
{
    slice_sums(slice, v, 0, true, count, at, result);
}

DEVICE void narrow_slice_sums(const lane_slice *slice, const column_operands *v, i32 count,
                              entry_cursor *at, real *result)
{
    slice_sums(slice, v, slice->base, false, count, at, result);
}

#endif
