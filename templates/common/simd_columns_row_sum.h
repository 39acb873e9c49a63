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

enum {
    SUM_LANES = LANES % (COLUMN_ROWS / 2) == 0 ? COLUMN_ROWS / 2 : 1,
    LANE_SUMS = SUM_LANES * COLUMN_VECTORS       /* vectors of their sums */
};

/* Adds the products of SUM_LANES entries to as many sums. */
INLINED void add_entries(const i32 *col, const real *val, const x_reader *v, const real *x,
                         column_shape shape, vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++)
        add_columns(val[i], x_row(v, x, col[i]), v->columns, shape,
                    sum + i * COLUMN_VECTORS);
}

/* The last entries of a row fill part of a vector; its other lanes are 0 * 0. `rest`: entries from
 * val on, which may be 0 or less. */
INLINED void add_last_entries(const i32 *col, const real *val, const x_reader *v,
                              const real *x, i64 rest, column_shape shape, vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++) {
        if (i < rest) {
            add_columns(val[i], x_row(v, x, col[i]), v->columns, shape,
                        sum + i * COLUMN_VECTORS);
        } else {
            sum[i * COLUMN_VECTORS] = v_add(sum[i * COLUMN_VECTORS], v_zero());
            if (COLUMN_VECTORS > 1 && shape == TWO_VECTORS)
                sum[(i + 1) * COLUMN_VECTORS - 1] =
                    v_add(sum[(i + 1) * COLUMN_VECTORS - 1], v_zero());
        }
    }
}

/* The sums of SUM_LANES lanes of a row, from lane `lane` on; the accumulators are added. */
INLINED void row_lane_sums(const i32 *col_idx, const real *val, const x_reader *v,
                           const real *x, i64 length, column_shape shape, i32 lane, real *part)
{
    vreal sum[ACCUMULATORS * LANE_SUMS];
    const i32 *col = col_idx + lane;
    const real *from = val + lane;

    UNROLL
    for (i32 i = 0; i < ACCUMULATORS * SUM_LANES; i++)
        clear_columns(sum + i * COLUMN_VECTORS);
    for (; length >= ACCUMULATORS * LANES; length -= ACCUMULATORS * LANES) {
        UNROLL
        for (i32 a = 0; a < ACCUMULATORS; a++) {
            fetch_ahead(from + a * LANES);
            fetch_ahead(col + a * LANES);
            add_entries(col + a * LANES, from + a * LANES, v, x, shape,
                        sum + a * LANE_SUMS);
        }
        from += ACCUMULATORS * LANES;
        col += ACCUMULATORS * LANES;
    }
    for (; length >= LANES; length -= LANES) {
        add_entries(col, from, v, x, shape, sum);
        from += LANES;
        col += LANES;
    }
    if (length > 0)
        add_last_entries(col, from, v, x, length - lane, shape, sum);
    UNROLL
    for (i32 a = 1; a < ACCUMULATORS; a++) {
        UNROLL
        for (i32 i = 0; i < LANE_SUMS; i++)
            sum[i] = v_add(sum[i], sum[a * LANE_SUMS + i]);
    }
    UNROLL
    for (i32 i = 0; i < SUM_LANES; i++)
        write_sums(part + i * TURN_COLUMNS, sum + i * COLUMN_VECTORS, shape);
}

INLINED void row_sums_of_shape(const i32 *col_idx, const real *val, const x_reader *v,
                               const real *x, i64 length, column_shape shape, real *part)
{
    for (i32 lane = 0; lane < LANES; lane += SUM_LANES)
        row_lane_sums(col_idx, val, v, x, length, shape, lane, part + lane * TURN_COLUMNS);
    if (LANES > 1)
        sum_lanes(part, shape);
}

/* The sums of a row of `length` entries, in the first TURN_COLUMNS of `part`, which has LANES times
 * as many. x: v->x, moved so that col_idx indexes its rows. */
DEVICE void row_columns_sum(const i32 *col_idx, const real *val, const column_operands *v,
                            const real *x, i64 length, real *part)
{
    const x_reader reader = x_reader_of(v);

    UNROLL
    for (i32 shape = FIRST_SHAPE; shape < SHAPES_END; shape++)
        if (v->shape == shape)
            row_sums_of_shape(col_idx, val, &reader, x, length, shape, part);
}

#endif
