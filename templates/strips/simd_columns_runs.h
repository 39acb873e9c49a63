/* simd_columns_runs.h: multiplies a strip of STRIP_RUNS by several vectors.
 *
 * A row has two sums for each lane of a vector, for even and odd vectors of windows, or one if it
 * is multiplied with the rows after it, which have the same columns. A lane belongs to one window
 * of a vector, and a window has RUN_WIDTH lanes. So a row is walked RUN_WINDOWS times, each time
 * for one window of each vector.
 */
#ifndef STRIPS_SIMD_COLUMNS_RUNS_H
#define STRIPS_SIMD_COLUMNS_RUNS_H

#include "../common/simd_columns.h"
#include "layout.h"
#include "layout_runs.h"
#include "simd_runs.h"

enum {
    RUN_BITS = (1 << RUN_WIDTH) - 1,             /* the mask of a window without holes */
    WINDOW_SUMS = (i32)RUN_WIDTH * COLUMN_VECTORS,       /* vectors of its lanes' sums */
    SHARING_ROWS = 3             /* rows with the same columns that are multiplied at once */
};

/* The mask of window w of the vector at `at`. */
DEVICE u32 window_bits(const u16 *at, i32 w)
{
    return (u32)at[RUN_WINDOWS] >> (w * RUN_WIDTH) & RUN_BITS;
}

DEVICE void fetch_values_of_runs(const real *val)
{
    if (PREFETCH_LEVEL == 2)
        fetch_stream(val);
    else
        fetch_ahead(val);
}

/* Number of entries of the vector's windows before window w. */
DEVICE i32 entries_before_window(const u16 *at, i32 w)
{
    return u32_popcount(at[RUN_WINDOWS] & (((u32)1 << (w * RUN_WIDTH)) - 1));
}

/* Adds the products of a window with the mask `bits` to the sums of its lanes. x: the row of X of
 * the window's first column. */
INLINED void add_window_columns(const real *val, const x_reader *v, const real *x, u32 bits,
                                column_shape shape, vreal *sum)
{
    if (bits == RUN_BITS) {
        UNROLL
        for (i32 i = 0; i < RUN_WIDTH; i++)
            add_columns(val[i], x_row(v, x, i), v->columns, shape,
                        sum + i * COLUMN_VECTORS);
    } else {
        UNROLL
        for (i32 i = 0; i < RUN_WIDTH; i++)
            if (bits >> i & 1u) {
                add_columns(*val, x_row(v, x, i), v->columns, shape,
                            sum + i * COLUMN_VECTORS);
                val++;
            }
    }
}

/* Adds the products of window w of the vector at `at`, whose values begin at *val, and advances
 * *val to the vector's end. */
INLINED void add_window_of(const real **val, const x_reader *v, const real *x,
                           const u16 *at, i32 w, column_shape shape, vreal *sum)
{
    fetch_values_of_runs(*val);
    add_window_columns(*val + entries_before_window(at, w), v, x_row(v, x, at[w]),
                       window_bits(at, w), shape, sum);
    *val += u32_popcount(at[RUN_WINDOWS]);
}

/* The sums of the lanes of window w of a row. */
INLINED void run_lane_sums(const u16 *at, i32 segments, const real *val, const x_reader *v,
                           i32 w, column_shape shape, real *part)
{
    vreal even[WINDOW_SUMS];
    vreal odd[WINDOW_SUMS];

    UNROLL
    for (i32 i = 0; i < RUN_WIDTH; i++) {
        clear_columns(even + i * COLUMN_VECTORS);
        clear_columns(odd + i * COLUMN_VECTORS);
    }
    for (; segments > 0; segments--) {
        const real *x = x_row(v, v->x, run_base(at));
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;

        for (at += RUN_HEAD; at + RUN_WORDS < end; at += 2 * RUN_WORDS) {
            fetch_soon(at);
            add_window_of(&val, v, x, at, w, shape, even);
            add_window_of(&val, v, x, at + RUN_WORDS, w, shape, odd);
        }
        if (at < end) {
            add_window_of(&val, v, x, at, w, shape, even);
            at += RUN_WORDS;
        }
    }
    UNROLL
    for (i32 i = 0; i < RUN_WIDTH; i++)
        write_added(part + i * TURN_COLUMNS, even + i * COLUMN_VECTORS, odd + i * COLUMN_VECTORS,
                    shape);
}

INLINED void run_sums_of_shape(const u16 *at, i32 segments, const real *val,
                               const x_reader *v, column_shape shape, real *part)
{
    for (i32 w = 0; w < RUN_WINDOWS; w++)
        run_lane_sums(at, segments, val, v, w, shape, part + w * RUN_WIDTH * TURN_COLUMNS);
    if (LANES > 1)
        sum_lanes(part, shape);
}

/* The sums of a row, in the first TURN_COLUMNS of `part`, which has LANES times as many. */
DEVICE void runs_columns_sum(const u16 *at, i32 segments, const real *val, const column_operands *v,
                             real *part)
{
    const x_reader reader = x_reader_of(v);

    UNROLL
    for (i32 shape = FIRST_SHAPE; shape < SHAPES_END; shape++)
        if (v->shape == shape)
            run_sums_of_shape(at, segments, val, &reader, shape, part);
}

/* ---- rows with the same columns -------------------------------------------------------------- */

/* The sums of the lanes of window w of `rows` rows of `length` entries, two or three. */
INLINED void sharing_lane_sums(const u16 *at, i32 segments, const real *val, i64 length,
                               const x_reader *v, i32 rows, i32 w, column_shape shape,
                               real *part)
{
    vreal first[WINDOW_SUMS];
    vreal second[WINDOW_SUMS];
    vreal third[WINDOW_SUMS];

    UNROLL
    for (i32 i = 0; i < RUN_WIDTH; i++) {
        clear_columns(first + i * COLUMN_VECTORS);
        clear_columns(second + i * COLUMN_VECTORS);
        clear_columns(third + i * COLUMN_VECTORS);
    }
    for (; segments > 0; segments--) {
        const real *base = x_row(v, v->x, run_base(at));
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;

        for (at += RUN_HEAD; at < end; at += RUN_WORDS) {
            const real *x = x_row(v, base, at[w]);
            const real *from = val + entries_before_window(at, w);
            const u32 bits = window_bits(at, w);
            fetch_values_of_runs(val);
            fetch_values_of_runs(val + length);
            add_window_columns(from, v, x, bits, shape, first);
            add_window_columns(from + length, v, x, bits, shape, second);
            if (rows > 2) {
                fetch_values_of_runs(val + 2 * length);
                add_window_columns(from + 2 * length, v, x, bits, shape, third);
            }
            val += u32_popcount(at[RUN_WINDOWS]);
        }
    }
    UNROLL
    for (i32 i = 0; i < RUN_WIDTH; i++) {
        real *to = part + i * TURN_COLUMNS;
        write_sums(to, first + i * COLUMN_VECTORS, shape);
        write_sums(to + LANES * TURN_COLUMNS, second + i * COLUMN_VECTORS, shape);
        write_sums(to + 2 * LANES * TURN_COLUMNS, third + i * COLUMN_VECTORS, shape);
    }
}

INLINED void sharing_sums_of_shape(const u16 *at, i32 segments, const real *val, i64 length,
                                   const x_reader *v, i32 rows, column_shape shape,
                                   real *part)
{
    for (i32 w = 0; w < RUN_WINDOWS; w++)
        sharing_lane_sums(at, segments, val, length, v, rows, w, shape,
                          part + w * RUN_WIDTH * TURN_COLUMNS);
    if (LANES > 1)
        for (i32 i = 0; i < rows; i++)
            sum_lanes(part + i * LANES * TURN_COLUMNS, shape);
}

/* The sums of row i of `rows` rows with the same columns, at part + i * LANES * TURN_COLUMNS. */
DEVICE void sharing_columns_sums(const u16 *at, i32 segments, const real *val, i64 length,
                                 const column_operands *v, i32 rows, real *part)
{
    const x_reader reader = x_reader_of(v);

    UNROLL
    for (i32 shape = FIRST_SHAPE; shape < SHAPES_END; shape++)
        if (v->shape == shape)
            sharing_sums_of_shape(at, segments, val, length, &reader, rows, shape, part);
}

/* ---- a strip --------------------------------------------------------------------------------- */

/* The end in INDEX of `segments` segments. */
DEVICE const u16 *segments_end(const u16 *at, i32 segments)
{
    for (; segments > 0; segments--)
        at += RUN_HEAD + at[2] * RUN_WORDS;
    return at;
}

DEVICE void multiply_runs_columns(const strips_matrix *a, const column_operands *v, const strip *t,
                                  i64 s, i32 rows, const real *val)
{
    const u16 *next = (const u16 *)(a->index + strip_index(t->entry, s));
    const u16 *at = next;
    const i32 end = t->row + rows;
    real part[SHARING_ROWS * LANES * TURN_COLUMNS];
    i32 count;

    for (i32 row = t->row; row < end; row += count) {
        const i32 word = a->row[row];
        const i32 segments = word & ~SAME_COLUMNS;
        const i64 length = row_length(&a->row_ptr, row);

        at = word & SAME_COLUMNS ? at : next;
        count = rows_at_once(a->row + row, end - row);
        if (count == 1)
            runs_columns_sum(at, segments, val, v, part);
        else
            sharing_columns_sums(at, segments, val, length, v, count, part);
        for (i32 i = 0; i < count; i++)
            store_columns(v, row + i, part + i * LANES * TURN_COLUMNS);
        next = segments_end(at, segments);
        val += count * length;
    }
}

#endif
