/* layout_slice.h: the order of the entries of a slice. */
#ifndef SPMV_EVC_HYB_LAYOUT_SLICE_H
#define SPMV_EVC_HYB_LAYOUT_SLICE_H

#include "../prelude/base.h"

/* Rows that a work-item of the ELL part adds: the number doubles as the length halves. */
DEVICE i32 rows_of_item(i64 length)
{
    i32 rows = 1;

    while (2 * rows * length <= ROWS_PER_ITEM)
        rows *= 2;
    return rows;
}

/* Number of columns of a slice that are stored in groups of LOAD_WIDTH: none if a work-item adds
 * several rows, since it then loads from all of them at once. */
DEVICE i32 grouped_columns(i32 length)
{
    return rows_of_item(length) > 1 ? 0 : length - length % LOAD_WIDTH;
}

/* Distance of the entries of a column in ell_col. */
DEVICE i32 lane_stride(i32 length, i32 column)
{
    (void)length;                /* single columns have the same distance for any length */
    (void)column;
    return LOAD_WIDTH > 1 && column < grouped_columns(length) ? LOAD_WIDTH : 1;
}

/* The same in ell_val. */
DEVICE i32 value_stride(i32 length, i32 column)
{
    (void)length;
    (void)column;
    return LOAD_WIDTH > 1 && column < grouped_columns(length) ? VALUE_WIDTH : 1;
}

/* Index within a slice, in ell_col, of the entry of a column and lane. */
DEVICE i32 place_in_slice(i32 length, i32 column, i32 lane)
{
    (void)length;
    if (LOAD_WIDTH == 1 || column >= grouped_columns(length))
        return column * ALIGNMENT + lane;
    return (column / LOAD_WIDTH * ALIGNMENT + lane) * LOAD_WIDTH + column % LOAD_WIDTH;
}

/* The same in ell_val: VALUE_WIDTH values of a row are contiguous, which one load takes. Each load
 * of neighbouring work-items then takes whole sectors of memory. */
DEVICE i32 value_place_in_slice(i32 length, i32 column, i32 lane)
{
    (void)length;
    if (LOAD_WIDTH == 1 || column >= grouped_columns(length))
        return column * ALIGNMENT + lane;
    return (column / VALUE_WIDTH * ALIGNMENT + lane) * VALUE_WIDTH + column % VALUE_WIDTH;
}

#endif
