/* simd_columns_rows.h: multiplies rows that are stored one by one, runs and long rows, by several
 * vectors. */
#ifndef SPMV_STRIPS_SIMD_COLUMNS_ROWS_H
#define SPMV_STRIPS_SIMD_COLUMNS_ROWS_H

#include "../common/simd_columns_row.h"
#include "layout.h"
#include "simd_columns_entries.h"
#include "simd_columns_values.h"
#include "simd_runs.h"

INLINED void rows_of_shape(entry_reader *r, const real *val, i64 next, const x_reader *v,
                           i32 rows, column_shape shape, real *result)
{
    vreal sum[(i32)MOST_ROWS * ROW_VECTORS];

    clear_rows(rows, sum);
    while (r->left > 0) {
        i64 count;
        const i32 *col = next_columns(r, &count);
        add_rows_entries(col, val, next, count, v, v->x, rows, shape, sum);
        val += count;
    }
    write_rows(rows, shape, sum, result);
}

/* Whether the sums of so many rows fit in registers. */
INLINED bool rows_fit(i32 rows, column_shape shape)
{
    return rows == 1 || rows * (shape == TWO_VECTORS ? 2 : 1) <= COLUMN_ROWS;
}

/* The sums of `rows` rows with the same columns, whose values have the distance `next`. Row i has
 * them at result + i * TURN_COLUMNS. */
DEVICE void rows_columns_sums(entry_reader *r, const real *val, i64 next, const column_operands *v,
                              i32 rows, real *result)
{
    const x_reader reader = x_reader_of(v);

    UNROLL
    for (i32 shape = FIRST_SHAPE; shape < SHAPES_END; shape++) {
        UNROLL
        for (i32 n = 1; n <= MOST_ROWS; n++)
            if (v->shape == shape && rows == n && rows_fit(n, shape))
                rows_of_shape(r, val, next, &reader, n, shape, result);
    }
}

/* ---- strips ---------------------------------------------------------------------------------- */

DEVICE void multiply_runs_columns(const strips_matrix *a, const column_operands *v, const strip *t,
                                  i64 s, i32 rows, value_reader *val)
{
    const u16 *next = (const u16 *)(a->index + strip_index(t->entry, s));
    const u16 *at = next;
    const i32 end = t->row + rows;
    real result[(i32)MOST_ROWS * TURN_COLUMNS];
    entry_reader r;
    i64 entry = 0;
    i32 count;

    r.coding = ENTRIES_RUNS;
    for (i32 row = t->row; row < end; row += count) {
        const i64 length = row_length(&a->row_ptr, row);

        at = a->row[row] & SAME_COLUMNS ? at : next;
        count = rows_at_once(a->row + row, end - row);
        if (!rows_fit(count, v->shape))
            count = 1;
        r.left = length;
        r.at = at;
        r.in_segment = 0;
        rows_columns_sums(&r, values_from(val, entry, count * length), length, v, count, result);
        for (i32 i = 0; i < count; i++)
            store_columns(v, row + i, result + i * TURN_COLUMNS);
        next = r.at;
        entry += count * length;
    }
}

/* entry: the first of the long rows, of the strip's entries; index: their columns. */
DEVICE void multiply_long_rows_columns(const strips_matrix *a, const column_operands *v,
                                       const strip *t, value_reader *val, i64 entry,
                                       const i32 *index)
{
    const u16 *order = a->row + t->row;
    real result[TURN_COLUMNS];
    entry_reader r;

    r.coding = t->has_segments ? ENTRIES_SEGMENTS : ENTRIES_WIDE;
    r.index = index;
    r.in_segment = 0;
    for (i32 p = 0; p < t->long_rows; p++) {
        const i32 row = t->row + order[p];
        const i64 length = row_length(&a->row_ptr, row);

        r.left = length;
        rows_columns_sums(&r, values_from(val, entry, length), 0, v, 1, result);
        store_columns(v, row, result);
        entry += length;
    }
}

#endif
