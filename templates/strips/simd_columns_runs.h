/* simd_columns_runs.h: multiplies a strip of STRIP_RUNS by several vectors.
 *
 * A row has two sums for each lane of a vector, for even and odd vectors of windows, or one if it is
 * multiplied with the rows after it, which have the same columns. A lane belongs to one window of a
 * vector, and a window has RUN_WIDTH lanes. So a row is walked RUN_WINDOWS times, each time for one
 * window of each vector.
 */
#ifndef STRIPS_SIMD_COLUMNS_RUNS_H
#define STRIPS_SIMD_COLUMNS_RUNS_H

#include "../common/simd_columns_row_sum.h"
#include "layout.h"
#include "layout_runs.h"
#include "simd_runs.h"

enum { RUN_BITS = (1 << RUN_WIDTH) - 1 };        /* the mask of a window without holes */

/* The value of the entry at `val`. */
DEVICE real run_value(const real *val)
{
    return *val;
}

/* The mask of window w of the vector at `at`, and the number of entries of the windows before it */
DEVICE u32 window_bits(const u16 *at, i32 w)
{
    return (u32)at[RUN_WINDOWS] >> (w * RUN_WIDTH) & RUN_BITS;
}

DEVICE i32 entries_before_window(const u16 *at, i32 w)
{
    return u32_popcount(at[RUN_WINDOWS] & (((u32)1 << (w * RUN_WIDTH)) - 1));
}

/* Adds the products of a window with the mask `bits` to the sums of its lanes. x: the row of X of
 * the window's first column. */
INLINED void add_window_columns(const real *val, const real *x, i64 stride, u32 bits,
                                column_shape c, vreal *sum)
{
    if (bits == RUN_BITS) {
        UNROLL
        for (i32 i = 0; i < RUN_WIDTH; i++)
            add_columns(run_value(val + i), x + i * stride, c, sum + i * COLUMN_VECTORS);
    } else {
        UNROLL
        for (i32 i = 0; i < RUN_WIDTH; i++)
            if (bits >> i & 1u) {
                add_columns(run_value(val), x + i * stride, c, sum + i * COLUMN_VECTORS);
                val++;
            }
    }
}

/* Adds the products of window w of the vector at `at`; returns the vector's end in VAL. */
INLINED const real *add_window_of(const real *val, const real *x, i64 stride, const u16 *at, i32 w,
                                  column_shape c, vreal *sum)
{
    fetch_runs(val);
    add_window_columns(val + entries_before_window(at, w), x + at[w] * stride, stride,
                       window_bits(at, w), c, sum);
    return val + u32_popcount(at[RUN_WINDOWS]);
}

/* The sums of the lanes of window w of a row. */
INLINED void run_lane_sums(const u16 *at, i32 segments, const real *val, const real *x, i64 stride,
                           i32 w, column_shape c, vreal *part)
{
    vreal even[RUN_WIDTH * COLUMN_VECTORS];
    vreal odd[RUN_WIDTH * COLUMN_VECTORS];

    UNROLL
    for (i32 i = 0; i < RUN_WIDTH; i++) {
        clear_columns(even + i * COLUMN_VECTORS);
        clear_columns(odd + i * COLUMN_VECTORS);
    }
    for (; segments > 0; segments--) {
        const real *base = x + run_base(at) * stride;
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;

        for (at += RUN_HEAD; at + RUN_WORDS < end; at += 2 * RUN_WORDS) {
            fetch_soon(at);
            val = add_window_of(val, base, stride, at, w, c, even);
            val = add_window_of(val, base, stride, at + RUN_WORDS, w, c, odd);
        }
        if (at < end) {
            val = add_window_of(val, base, stride, at, w, c, even);
            at += RUN_WORDS;
        }
    }
    UNROLL
    for (i32 i = 0; i < RUN_WIDTH; i++) {
        add_sums(even + i * COLUMN_VECTORS, odd + i * COLUMN_VECTORS, c);
        copy_sums(part + i * COLUMN_VECTORS, even + i * COLUMN_VECTORS, c);
    }
}

/* The sums of a row. */
INLINED void runs_columns_sum(const u16 *at, i32 segments, const real *val, const real *x,
                              i64 stride, column_shape c, vreal *sum)
{
    vreal part[LANES * COLUMN_VECTORS];

    for (i32 w = 0; w < RUN_WINDOWS; w++)
        run_lane_sums(at, segments, val, x, stride, w, c, part + w * RUN_WIDTH * COLUMN_VECTORS);
    sum_lanes(part, c);
    copy_sums(sum, part, c);
}

/* The sums of the lanes of window w of `rows` rows of `length` entries with the same columns. */
INLINED void shared_run_lane_sums(const u16 *at, i32 segments, const real *val, i64 length,
                                  const real *x, i64 stride, i32 rows, i32 w, column_shape c,
                                  vreal *part)
{
    vreal first[RUN_WIDTH * COLUMN_VECTORS];
    vreal second[RUN_WIDTH * COLUMN_VECTORS];
    vreal third[RUN_WIDTH * COLUMN_VECTORS];

    UNROLL
    for (i32 i = 0; i < RUN_WIDTH; i++) {
        clear_columns(first + i * COLUMN_VECTORS);
        clear_columns(second + i * COLUMN_VECTORS);
        clear_columns(third + i * COLUMN_VECTORS);
    }
    for (; segments > 0; segments--) {
        const real *base = x + run_base(at) * stride;
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;

        for (at += RUN_HEAD; at < end; at += RUN_WORDS) {
            const real *from = base + at[w] * stride;
            const real *here = val + entries_before_window(at, w);
            const u32 bits = window_bits(at, w);
            fetch_runs(val);
            fetch_runs(val + length);
            add_window_columns(here, from, stride, bits, c, first);
            add_window_columns(here + length, from, stride, bits, c, second);
            if (rows > 2) {
                fetch_runs(val + 2 * length);
                add_window_columns(here + 2 * length, from, stride, bits, c, third);
            }
            val += u32_popcount(at[RUN_WINDOWS]);
        }
    }
    UNROLL
    for (i32 i = 0; i < RUN_WIDTH; i++) {
        copy_sums(part + i * COLUMN_VECTORS, first + i * COLUMN_VECTORS, c);
        copy_sums(part + (LANES + i) * COLUMN_VECTORS, second + i * COLUMN_VECTORS, c);
        copy_sums(part + (2 * LANES + i) * COLUMN_VECTORS, third + i * COLUMN_VECTORS, c);
    }
}

/* Multiplies two or three rows with the same columns. */
INLINED void multiply_shared_runs(const column_operands *v, i32 row, i32 rows, const u16 *at,
                                  i32 segments, const real *val, i64 length, column_shape c)
{
    vreal part[3 * LANES * COLUMN_VECTORS];

    for (i32 w = 0; w < RUN_WINDOWS; w++)
        shared_run_lane_sums(at, segments, val, length, v->x, v->x_stride, rows, w, c,
                             part + w * RUN_WIDTH * COLUMN_VECTORS);
    for (i32 i = 0; i < rows; i++) {
        sum_lanes(part + i * LANES * COLUMN_VECTORS, c);
        store_columns(v, row + i, c, part + i * LANES * COLUMN_VECTORS);
    }
}

/* The end in INDEX of `segments` segments. */
DEVICE const u16 *segments_end(const u16 *at, i32 segments)
{
    for (; segments > 0; segments--)
        at += RUN_HEAD + at[2] * RUN_WORDS;
    return at;
}

INLINED void multiply_runs_columns(const strips_matrix *a, const column_operands *v,
                                   const strip *t, i64 s, i32 rows, column_shape c)
{
    const u16 *next = (const u16 *)(a->index + strip_index(t->entry, s));
    const u16 *at = next;
    const real *val = a->val + t->entry;
    const i32 end = t->row + rows;
    i32 count;

    for (i32 row = t->row; row < end; row += count) {
        const i32 word = a->row[row];
        const i32 segments = word & ~SAME_COLUMNS;
        const i64 length = row_length(&a->row_ptr, row);

        at = word & SAME_COLUMNS ? at : next;
        count = rows_at_once(a->row + row, end - row);
        if (count == 1) {
            vreal sum[COLUMN_VECTORS];
            runs_columns_sum(at, segments, val, v->x, v->x_stride, c, sum);
            store_columns(v, row, c, sum);
        } else {
            multiply_shared_runs(v, row, count, at, segments, val, length, c);
        }
        next = segments_end(at, segments);
        val += count * length;
    }
}

#endif
