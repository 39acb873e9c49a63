/* simd_columns_long_rows.h: multiplies the long rows of a strip of STRIP_LANES by several vectors.
 *
 * A row with segments has two sums for each lane of a vector, for even and odd vectors of a
 * segment. As in row_columns_sum, the row is walked LANES / SUM_LANES times.
 */
#ifndef STRIPS_SIMD_COLUMNS_LONG_ROWS_H
#define STRIPS_SIMD_COLUMNS_LONG_ROWS_H

#include "../common/simd_columns_row_sum.h"
#include "layout.h"
#include "layout_long_rows.h"

/* Adds the products of SUM_LANES of the `rest` entries from val on to as many sums. */
INLINED void add_segment_entries(const u16 *col, const real *val, const x_reader *v,
                                 const real *x, i32 rest, column_shape shape, vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++)
        if (i < rest)
            add_columns(val[i], x_row(v, x, col[i]), v->columns, shape,
                        sum + i * COLUMN_VECTORS);
}

/* The sums of SUM_LANES lanes of a row with segments, from lane `lane` on. Returns the next row in
 * INDEX. */
INLINED const i32 *segment_lane_sums(const i32 *at, const real *val, const x_reader *v,
                                     i64 length, column_shape shape, i32 lane, real *part)
{
    vreal even[LANE_SUMS];
    vreal odd[LANE_SUMS];

    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++) {
        clear_columns(even + i * COLUMN_VECTORS);
        clear_columns(odd + i * COLUMN_VECTORS);
    }
    while (length > 0) {
        const real *x = x_row(v, v->x, at[0]);
        const i32 entries = at[1];
        const u16 *col = (const u16 *)(at + SEGMENT_HEAD) + lane;
        const real *from = val + lane;
        i32 left = entries;

        for (; left >= 2 * LANES; left -= 2 * LANES) {
            fetch_ahead(from);
            fetch_ahead(from + LANES);
            fetch_soon(col);
            add_segment_entries(col, from, v, x, SUM_LANES, shape, even);
            add_segment_entries(col + LANES, from + LANES, v, x, SUM_LANES, shape, odd);
            from += 2 * LANES;
            col += 2 * LANES;
        }
        for (; left > 0; left -= LANES) {
            add_segment_entries(col, from, v, x, left - lane, shape, even);
            from += LANES;
            col += LANES;
        }
        val += entries;
        length -= entries;
        at += SEGMENT_HEAD + segment_words(entries);
    }
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++)
        write_added(part + i * TURN_COLUMNS, even + i * COLUMN_VECTORS, odd + i * COLUMN_VECTORS,
                    shape);
    return at;
}

INLINED const i32 *segment_sums_of_shape(const i32 *index, const real *val,
                                         const x_reader *v, i64 length, column_shape shape,
                                         real *part)
{
    const i32 *next = index;

    for (i32 lane = 0; lane < LANES; lane += SUM_LANES)
        next = segment_lane_sums(index, val, v, length, shape, lane, part + lane * TURN_COLUMNS);
    if (LANES > 1)
        sum_lanes(part, shape);
    return next;
}

/* The sums of a row with segments, as in row_columns_sum. Returns the next row in INDEX. */
DEVICE const i32 *segments_columns_sum(const i32 *index, const real *val, const column_operands *v,
                                       i64 length, real *part)
{
    const x_reader reader = x_reader_of(v);
    const i32 *next = index;

    UNROLL
    for (i32 shape = FIRST_SHAPE; shape < SHAPES_END; shape++)
        if (v->shape == shape)
            next = segment_sums_of_shape(index, val, &reader, length, shape, part);
    return next;
}

DEVICE void multiply_long_rows_columns(const strips_matrix *a, const column_operands *v,
                                       const strip *t, const real *val, const i32 *index)
{
    const u16 *order = a->row + t->row;
    real part[LANES * TURN_COLUMNS];

    for (i32 p = 0; p < t->long_rows; p++) {
        const i32 row = t->row + order[p];
        const i64 length = row_length(&a->row_ptr, row);

        if (t->has_segments) {
            index = segments_columns_sum(index, val, v, length, part);
        } else {
            row_columns_sum(index, val, v, v->x, length, part);
            index += length;
        }
        store_columns(v, row, part);
        val += length;
    }
}

#endif
