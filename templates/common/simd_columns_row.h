/* simd_columns_row.h: the products of rows with several vectors at once.
 *
 * A row has ROW_SUMS sums, so that an addition need not wait for the one before. Entries are
 * taken in the order of storage, ROW_SUMS at once, each to another sum; the last ones, fewer than
 * ROW_SUMS, go to the first sum. Rows with the same columns can be multiplied together: each has
 * its own sums, and the entries of X are loaded once.
 */
#ifndef SPMV_COMMON_SIMD_COLUMNS_ROW_H
#define SPMV_COMMON_SIMD_COLUMNS_ROW_H

#include "simd_columns.h"
#include "simd_fetch_ahead.h"

enum {
    ROW_SUMS = 4,                /* a power of two */
    MOST_ROWS = 3,               /* with the same columns, at once; rows of CSR come one by one */
    ROW_VECTORS = (i32)ROW_SUMS * COLUMN_VECTORS         /* of the sums of a row */
};

/* Adds the products of an entry of each row to a sum of the row. The rows' values have the distance
 * `next`. x: X, moved so that *col indexes its rows. */
INLINED void add_rows_entry(const i32 *col, const real *val, i64 next, const x_reader *v,
                            const real *x, i32 rows, column_shape shape, vreal *sum)
{
    const real *from = x_row(v, x, *col);

    UNROLL
    for (i32 r = 0; r < MOST_ROWS; r++)
        if (r < rows)
            add_columns(val[r * next], from, v->columns, shape, sum + r * ROW_VECTORS);
}

/* Adds the products of `count` entries of each row to the rows' sums. */
INLINED void add_rows_entries(const i32 *col, const real *val, i64 next, i64 count,
                              const x_reader *v, const real *x, i32 rows, column_shape shape,
                              vreal *sum)
{
    for (; count >= ROW_SUMS; count -= ROW_SUMS) {
        if (rows == 1)
            fetch_ahead(col);
        UNROLL
        for (i32 r = 0; r < MOST_ROWS; r++)
            if (r < rows)
                fetch_ahead(val + r * next);
        UNROLL
        for (i32 i = 0; i < ROW_SUMS; i++)
            add_rows_entry(col + i, val + i, next, v, x, rows, shape, sum + i * COLUMN_VECTORS);
        col += ROW_SUMS;
        val += ROW_SUMS;
    }
    for (; count > 0; count--)
        add_rows_entry(col++, val++, next, v, x, rows, shape, sum);
}

INLINED void clear_rows(i32 rows, vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < MOST_ROWS * ROW_SUMS; i++)
        if (i < rows * ROW_SUMS)
            clear_columns(sum + i * COLUMN_VECTORS);
}

/* The ROW_SUMS sums of a row, COLUMN_VECTORS apart, added by pairs. */
INLINED vreal added_sums(const vreal *sum)
{
    vreal part[ROW_SUMS];

    UNROLL
    for (i32 i = 0; i < ROW_SUMS; i++)
        part[i] = sum[i * COLUMN_VECTORS];
    UNROLL
    for (i32 pairs = ROW_SUMS / 2; pairs > 0; pairs /= 2) {
        UNROLL
        for (i32 i = 0; i < pairs; i++)
            part[i] = v_add(part[2 * i], part[2 * i + 1]);
    }
    return part[0];
}

/* Writes the sums of row r, added, at result + r * TURN_COLUMNS. */
INLINED void write_rows(i32 rows, column_shape shape, const vreal *sum, real *result)
{
    UNROLL
    for (i32 r = 0; r < MOST_ROWS; r++)
        if (r < rows) {
            vreal all[COLUMN_VECTORS];
            UNROLL
            for (i32 i = 0; i < COLUMN_VECTORS; i++)
                all[i] = added_sums(sum + r * ROW_VECTORS + i);
            write_sums(result + r * TURN_COLUMNS, all, shape);
        }
}

INLINED void row_of_shape(const i32 *col_idx, const real *val, const x_reader *v, const real *x,
                          i64 length, column_shape shape, real *result)
{
    vreal sum[ROW_VECTORS];

    clear_rows(1, sum);
    add_rows_entries(col_idx, val, 0, length, v, x, 1, shape, sum);
    write_rows(1, shape, sum, result);
}

/* The sums of a row of `length` entries, of TURN_COLUMNS columns. x: v->x, moved so that col_idx
 * indexes its rows. */
DEVICE void row_columns_sum(const i32 *col_idx, const real *val, const column_operands *v,
                            const real *x, i64 length, real *result)
{
    const x_reader reader = x_reader_of(v);

    UNROLL
    for (i32 shape = FIRST_SHAPE; shape < SHAPES_END; shape++)
        if (v->shape == shape)
            row_of_shape(col_idx, val, &reader, x, length, shape, result);
}

#endif
