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
INLINED void add_segment_entries(const u16 *col, const real *val, const real *x, i64 stride,
                                 i32 rest, column_shape c, vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++)
        if (i < rest)
            add_columns(row_value(val + i), x + col[i] * stride, c, sum + i * COLUMN_VECTORS);
}

/* The sums of SUM_LANES lanes of a row with segments, from lane `lane` on. Returns the next row in
 * INDEX. */
INLINED const i32 *segment_lane_sums(const i32 *at, const real *val, const real *x, i64 stride,
                                     i64 length, i32 lane, column_shape c, vreal *part)
{
    vreal even[SUM_LANES * COLUMN_VECTORS];
    vreal odd[SUM_LANES * COLUMN_VECTORS];

    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++) {
        clear_columns(even + i * COLUMN_VECTORS);
        clear_columns(odd + i * COLUMN_VECTORS);
    }
    while (length > 0) {
        const real *from = x + at[0] * stride;
        const i32 entries = at[1];
        const u16 *col = (const u16 *)(at + SEGMENT_HEAD) + lane;
        const real *first = val + lane;
        i32 k = 0;

        for (; k + 2 * LANES <= entries; k += 2 * LANES) {
            fetch_ahead(first + k);
            fetch_ahead(first + k + LANES);
            fetch_soon(col + k);
            add_segment_entries(col + k, first + k, from, stride, SUM_LANES, c, even);
            add_segment_entries(col + k + LANES, first + k + LANES, from, stride, SUM_LANES, c,
                                odd);
        }
        for (; k < entries; k += LANES)
            add_segment_entries(col + k, first + k, from, stride, entries - k - lane, c, even);
        val += entries;
        length -= entries;
        at += SEGMENT_HEAD + segment_words(entries);
    }
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++) {
        add_sums(even + i * COLUMN_VECTORS, odd + i * COLUMN_VECTORS, c);
        copy_sums(part + i * COLUMN_VECTORS, even + i * COLUMN_VECTORS, c);
    }
    return at;
}

/* The sums of a row with segments. Returns the next row in INDEX. */
INLINED const i32 *segments_columns_sum(const i32 *index, const real *val, const real *x,
                                        i64 stride, i64 length, column_shape c, vreal *sum)
{
    vreal part[LANES * COLUMN_VECTORS];
    const i32 *next = index;

    for (i32 lane = 0; lane < LANES; lane += SUM_LANES)
        next = segment_lane_sums(index, val, x, stride, length, lane, c,
                                 part + lane * COLUMN_VECTORS);
    sum_lanes(part, c);
    copy_sums(sum, part, c);
    return next;
}

INLINED void multiply_long_rows_columns(const strips_matrix *a, const column_operands *v,
                                        const strip *t, const real *val, const i32 *index,
                                        column_shape c)
{
    const u16 *order = a->row + t->row;

    for (i32 p = 0; p < t->long_rows; p++) {
        const i32 row = t->row + order[p];
        const i64 length = row_length(&a->row_ptr, row);
        vreal sum[COLUMN_VECTORS];

        if (t->has_segments) {
            index = segments_columns_sum(index, val, v->x, v->x_stride, length, c, sum);
        } else {
            row_columns_sum(index, val, v->x, v->x_stride, 0, length, c, sum);
            index += length;
        }
        store_columns(v, row, c, sum);
        val += length;
    }
}

#endif
