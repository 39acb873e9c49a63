/* layout_slice.h: where in a slice an entry lies. */
#ifndef SPMV_EVC_HYB_LAYOUT_SLICE_H
#define SPMV_EVC_HYB_LAYOUT_SLICE_H

#include "../prelude/base.h"

/* Rows of a work-item of the ELL part: the number doubles as the length halves. */
DEVICE i32 rows_of_item(i64 length)
{
    i32 rows = 1;

    while (2 * rows * length <= ROWS_PER_ITEM)
        rows *= 2;
    return rows;
}

/* How many columns of a slice of so many lie in groups of LOAD_WIDTH: none where a work-item takes
 * several rows, and loads from all of them at once. */
DEVICE i32 grouped_columns(i32 length)
{
    return rows_of_item(length) > 1 ? 0 : length - length % LOAD_WIDTH;
}

/* How far apart the entries of a column lie. */
DEVICE i32 lane_stride(i32 length, i32 column)
{
    (void)length;                /* columns that lie alone lie where they do at any length */
    (void)column;
    return LOAD_WIDTH > 1 && column < grouped_columns(length) ? LOAD_WIDTH : 1;
}

/* The place of an entry of such a slice. */
DEVICE i32 place_in_slice(i32 length, i32 column, i32 lane)
{
    (void)length;
    if (LOAD_WIDTH == 1 || column >= grouped_columns(length))
        return column * ALIGNMENT + lane;
    return (column / LOAD_WIDTH * ALIGNMENT + lane) * LOAD_WIDTH + column % LOAD_WIDTH;
}

#endif
