/* simd_columns_row.h: adds a row's nonzeros in order, for several vectors at once. */
#ifndef SPMV_COMMON_SIMD_COLUMNS_ROW_H
#define SPMV_COMMON_SIMD_COLUMNS_ROW_H

#include "simd_columns.h"

INLINED void row_in_order_of_shape(const i32 *col_idx, const real *val, const x_reader *v,
                                   const real *x, i64 length, column_shape shape, real *result)
{
    vreal sum[COLUMN_VECTORS];

    clear_columns(sum);
    for (i64 k = 0; k < length; k++)
        add_columns(val[k], x_row(v, x, col_idx[k]), v->columns, shape, sum);
    write_sums(result, sum, shape);
}

/* The sums of a row of `length` nonzeros, of TURN_COLUMNS columns. x: v->x, moved so that col_idx
 * indexes its rows. */
DEVICE void row_columns_in_order(const i32 *col_idx, const real *val, const column_operands *v,
                                 const real *x, i64 length, real *result)
{
    const x_reader reader = x_reader_of(v);

    UNROLL
    for (i32 shape = FIRST_SHAPE; shape < SHAPES_END; shape++)
        if (v->shape == shape)
            row_in_order_of_shape(col_idx, val, &reader, x, length, shape, result);
}

#endif
