/* simd_columns_diagonals.h: multiplies a strip of STRIP_DIAGONALS by several vectors.
 *
 * A row has two sums, of the first and of the second diagonals of pairs. A group of rows is
 * added at once, and the list of pairs is read once for each such group of a slice.
 */
#ifndef SPMV_STRIPS_SIMD_COLUMNS_DIAGONALS_H
#define SPMV_STRIPS_SIMD_COLUMNS_DIAGONALS_H

#include "../common/simd_columns.h"
#include "../common/simd_fetch_ahead.h"
#include "layout.h"
#include "layout_diagonals.h"
#include "simd_columns_values.h"

enum {
    DIAGONAL_GROUP = DIAGONAL_ROWS % COLUMN_ROWS == 0 ? COLUMN_ROWS : 1,
    DIAGONAL_SUMS = DIAGONAL_GROUP * COLUMN_VECTORS      /* vectors of sums */
};

/* The rows that are added at once, DIAGONAL_GROUP or half of them. */
INLINED i32 group_rows(column_shape shape)
{
    return shape == TWO_VECTORS ? (DIAGONAL_GROUP + 1) / 2 : DIAGONAL_GROUP;
}

/* Adds the product of the entry at `val` to the sums of row r of a group. x: the row of X of the
 * group's first row. */
INLINED void add_diagonal_entry(const real *val, const x_reader *v, const real *x,
                                column_shape shape, i32 r, vreal *sum)
{
    add_columns(*val, x_row(v, x, r), v->columns, shape,
                sum + r * COLUMN_VECTORS);
}

/* Adds the products of a diagonal on which all rows have an entry to the sums of a group. */
INLINED void add_full_group(const real *val, const x_reader *v, const real *x,
                            column_shape shape, vreal *sum)
{
    UNROLL
    for (i32 r = 0; r < DIAGONAL_GROUP; r++)
        if (r < group_rows(shape))
            add_diagonal_entry(val + r, v, x, shape, r, sum);
}

/* The pairs of a slice. */
typedef struct slice_pairs {
    const i32 *begin, *end;
    bool is_padded;              /* VALUES_PADDED */
} slice_pairs;

/* Number of values of a diagonal before row `row` of its slice. */
DEVICE i32 values_before(bool is_padded, u32 mask, i32 row)
{
    return HAS_PADDED && is_padded ? row : u32_popcount(mask & (((u32)1 << row) - 1));
}

/* Adds the products of a diagonal with a mask, whose entries begin at val, to the sums of the group
 * that begins with row `row` of the slice; returns the diagonal's end. */
INLINED const real *add_masked_group(bool is_padded, const real *val, const x_reader *v,
                                     const real *x, u32 mask, i32 row, column_shape shape,
                                     vreal *sum)
{
    const u32 all = ((u32)1 << group_rows(shape)) - 1;
    const u32 bits = mask >> row & all;
    const real *from = val + values_before(is_padded, mask, row);

    if (bits == all) {
        add_full_group(from, v, x, shape, sum);
    } else if (bits) {
        UNROLL
        for (i32 r = 0; r < DIAGONAL_GROUP; r++)
            if (r < group_rows(shape)) {
                if (bits >> r & 1u)
                    add_diagonal_entry(from, v, x, shape, r, sum);
                from += values_before(is_padded, bits >> r & 1u, 1);
            }
    }
    return val + (HAS_PADDED && is_padded ? padded_values(mask) : u32_popcount(mask));
}

/* The sums of the group of rows that begins with row `row` of a slice; returns the slice's end in
 * VAL. x: the row of X of the first of these rows. */
INLINED const real *diagonal_group_sums(slice_pairs p, const real *val, const x_reader *v,
                                        const real *x, i32 row, column_shape shape, real *result)
{
    vreal even[DIAGONAL_SUMS];
    vreal odd[DIAGONAL_SUMS];

    UNROLL
    for (i32 r = 0; r < DIAGONAL_GROUP; r++) {
        clear_columns(even + r * COLUMN_VECTORS);
        clear_columns(odd + r * COLUMN_VECTORS);
    }
    for (const i32 *pair = p.begin; pair < p.end; pair += PAIR) {
        const real *first = x_row(v, x, pair[0]);
        const real *second = x_row(v, x, pair[1]);

        if (is_full_pair(pair)) {
            const real *from = val + row;
            fetch_stream(from);
            fetch_stream(from + DIAGONAL_ROWS);
            add_full_group(from, v, first, shape, even);
            add_full_group(from + DIAGONAL_ROWS, v, second, shape, odd);
            val += 2 * DIAGONAL_ROWS;
        } else {
            fetch_stream(val);
            val = add_masked_group(p.is_padded, val, v, first, first_mask(pair), row, shape, even);
            val = add_masked_group(p.is_padded, val, v, second, second_mask(pair), row, shape,
                                   odd);
        }
    }
    UNROLL
    for (i32 r = 0; r < DIAGONAL_GROUP; r++)
        if (r < group_rows(shape))
            write_added(result + r * TURN_COLUMNS, even + r * COLUMN_VECTORS,
                        odd + r * COLUMN_VECTORS, shape);
    return val;
}

/* The sums of a slice whose first row is `row`, of which the strip has `count` rows; returns its
 * end in VAL. */
INLINED const real *diagonal_sums_of_shape(slice_pairs p, const real *val, const x_reader *v,
                                           i32 row, i32 count, column_shape shape, real *result)
{
    const real *next = val;

    for (i32 r = 0; r < count; r += group_rows(shape))
        next = diagonal_group_sums(p, val, v, x_row(v, v->x, row + r), r, shape,
                                   result + r * TURN_COLUMNS);
    return next;
}

DEVICE const real *diagonal_sums(slice_pairs p, const real *val, const column_operands *v, i32 row,
                                 i32 count, real *result)
{
    const x_reader reader = x_reader_of(v);
    const real *next = val;

    UNROLL
    for (i32 shape = FIRST_SHAPE; shape < SHAPES_END; shape++)
        if (v->shape == shape)
            next = diagonal_sums_of_shape(p, val, &reader, row, count, shape, result);
    return next;
}

DEVICE void multiply_diagonals_columns(const strips_matrix *a, const column_operands *v,
                                       const strip *t, i64 s, i32 rows, value_reader *val)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const diagonal_list *list = a->diagonals + first_diagonal_slice(t->row, s);
    real result[DIAGONAL_ROWS * TURN_COLUMNS];
    i64 entry = 0;

    for (i32 row = 0; row < rows; row += DIAGONAL_ROWS, list++) {
        const i32 *pair = index + list->first * PAIR;
        const slice_pairs pairs = { pair, pair + list->pairs * PAIR, val->is_padded };
        const i32 count = slice_row_count(rows, row);
        const real *first = values_from(val, entry, (i64)list->pairs * 2 * DIAGONAL_ROWS);

        entry += diagonal_sums(pairs, first, v, t->row + row, count, result) - first;
        for (i32 r = 0; r < count; r++)
            store_columns(v, t->row + row + r, result + r * TURN_COLUMNS);
    }
}

#endif
