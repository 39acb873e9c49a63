/* simd_columns_row.h: adds a row's nonzeros in order, for several vectors at once. */
#ifndef SPMV_COMMON_SIMD_COLUMNS_ROW_H
#define SPMV_COMMON_SIMD_COLUMNS_ROW_H

#include "simd_columns.h"

INLINED void row_in_order_of_shape(const i32 *col_idx, const real *val, const column_operands *v,
                                   const real *x, i64 length, column_shape shape, real *result)
{
    vreal sum[COLUMN_VECTORS];

    clear_columns(sum);
    for (i64 k = 0; k < length; k++)
        add_columns(val[k], x + col_idx[k] * v->x_stride, v->columns, shape, sum);
    write_sums(result, sum, shape);
}

/* The sums of a row of `length` nonzeros, of TURN_COLUMNS columns. x: v->x, moved so that col_idx
 * indexes its rows. */
DEVICE void row_columns_in_order(const i32 *col_idx, const real *val, const column_operands *v,
                                 const real *x, i64 length, real *result)
{
    if (COLUMN_VECTORS > 1 && v->shape == TWO_VECTORS)
        row_in_order_of_shape(col_idx, val, v, x, length, TWO_VECTORS, result);
    else if (v->shape == ONE_VECTOR)
        row_in_order_of_shape(col_idx, val, v, x, length, ONE_VECTOR, result);
    else if (v->shape == PART_VECTOR)
        row_in_order_of_shape(col_idx, val, v, x, length, PART_VECTOR, result);
    else
        row_in_order_of_shape(col_idx, val, v, x, length, HALF_VECTOR, result);
}

#endif
