/* simd_columns_diagonals.h: multiplies a strip of STRIP_DIAGONALS by several vectors.
 *
 * A row has two sums, of the first and of the second diagonals of pairs. DIAGONAL_GROUP rows are
 * added at once, and the list of pairs is read once for each such group of a slice.
 */
#ifndef STRIPS_SIMD_COLUMNS_DIAGONALS_H
#define STRIPS_SIMD_COLUMNS_DIAGONALS_H

#include "../common/simd_columns.h"
#include "../common/simd_fetch_ahead.h"
#include "layout.h"
#include "layout_diagonals.h"

enum { DIAGONAL_GROUP = DIAGONAL_ROWS % (COLUMN_ROWS / 2) == 0 ? COLUMN_ROWS / 2 : 1 };

/* The value of the entry at `val`. */
DEVICE real diagonal_value(const real *val)
{
    return *val;
}

/* Adds the products of a diagonal on which all rows have an entry to the sums of a group. x: the
 * row of X of the group's first row. */
INLINED void add_full_group(const real *val, const real *x, i64 stride, column_shape c, vreal *sum)
{
    UNROLL
    for (i32 r = 0; r < DIAGONAL_GROUP; r++)
        add_columns(diagonal_value(val + r), x + r * stride, c, sum + r * COLUMN_VECTORS);
}

/* The same for a diagonal with a mask, whose lowest bit is the group's first row. */
INLINED void add_masked_group(const real *val, const real *x, i64 stride, u32 mask, column_shape c,
                              vreal *sum)
{
    UNROLL
    for (i32 r = 0; r < DIAGONAL_GROUP; r++)
        if (mask >> r & 1u) {
            add_columns(diagonal_value(val), x + r * stride, c, sum + r * COLUMN_VECTORS);
            val++;
        }
}

/* Number of entries of a diagonal before row `row` of its slice. */
DEVICE i32 entries_before(u32 mask, i32 row)
{
    return u32_popcount(mask & (((u32)1 << row) - 1));
}

/* Adds the products of a slice's rows [row, row + DIAGONAL_GROUP); returns the slice's end in VAL.
 * x: the row of X of the slice's first row. */
INLINED const real *add_diagonal_rows(const i32 *pair, const i32 *end, const real *val,
                                      const real *x, i64 stride, i32 row, column_shape c,
                                      vreal *even, vreal *odd)
{
    for (; pair < end; pair += PAIR) {
        const real *from = x + (pair[0] + row) * stride;
        const real *from_second = x + (pair[1] + row) * stride;

        fetch_stream(val + row);
        fetch_stream(val + DIAGONAL_ROWS + row);
        if (is_full_pair(pair)) {
            add_full_group(val + row, from, stride, c, even);
            add_full_group(val + DIAGONAL_ROWS + row, from_second, stride, c, odd);
            val += 2 * DIAGONAL_ROWS;
        } else {
            const u32 first = first_mask(pair);
            const u32 second = second_mask(pair);
            add_masked_group(val + entries_before(first, row), from, stride, first >> row, c, even);
            val += u32_popcount(first);
            add_masked_group(val + entries_before(second, row), from_second, stride, second >> row,
                             c, odd);
            val += u32_popcount(second);
        }
    }
    return val;
}

INLINED void multiply_diagonals_columns(const strips_matrix *a, const column_operands *v,
                                        const strip *t, i64 s, i32 rows, column_shape c)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const real *val = a->val + t->entry;
    const diagonal_list *list = a->diagonals + first_diagonal_slice(t->row, s);

    for (i32 slice = 0; slice < rows; slice += DIAGONAL_ROWS, list++) {
        const i32 *pair = index + list->first * PAIR;
        const i32 *end = pair + list->pairs * PAIR;
        const real *x = v->x + (t->row + slice) * v->x_stride;
        const real *slice_end = val;

        for (i32 row = 0; row < DIAGONAL_ROWS && slice + row < rows; row += DIAGONAL_GROUP) {
            vreal even[DIAGONAL_GROUP * COLUMN_VECTORS];
            vreal odd[DIAGONAL_GROUP * COLUMN_VECTORS];

            UNROLL
            for (i32 r = 0; r < DIAGONAL_GROUP; r++) {
                clear_columns(even + r * COLUMN_VECTORS);
                clear_columns(odd + r * COLUMN_VECTORS);
            }
            slice_end = add_diagonal_rows(pair, end, val, x, v->x_stride, row, c, even, odd);
            UNROLL
            for (i32 r = 0; r < DIAGONAL_GROUP; r++) {
                add_sums(even + r * COLUMN_VECTORS, odd + r * COLUMN_VECTORS, c);
                if (slice + row + r < rows)
                    store_columns(v, t->row + slice + row + r, c, even + r * COLUMN_VECTORS);
            }
        }
        val = slice_end;
    }
}

#endif
