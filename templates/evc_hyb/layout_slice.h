/* layout_slice.h: the order of the entries of a slice. */
#ifndef SPMV_EVC_HYB_LAYOUT_SLICE_H
#define SPMV_EVC_HYB_LAYOUT_SLICE_H

#include "../prelude/base.h"

/* Rows that a work-item of the ELL part adds: the number doubles as the length halves, as long as
 * they have at most `most` entries. That is ROWS_PER_ITEM or, by the paper's rule, the length of
 * the longest row of the ELL part (LRmax): 1 row for lengths in (LRmax / 2, LRmax], 2 rows for
 * lengths in (LRmax / 4, LRmax / 2], and so on. */
DEVICE i32 rows_of_item(i64 length, i64 most)
{
    i32 rows = 1;

    while (2 * rows * length <= most)
        rows *= 2;
    return rows;
}

/* How many of these rows it adds side by side. */
DEVICE i32 rows_side_by_side(i64 length, i64 most)
{
    return (i32)i64_min(rows_of_item(length, most), ROWS_PER_ITEM);
}

/* Number of columns of a slice that are stored in groups of LOAD_WIDTH, if a work-item adds this
 * many rows side by side: none for several rows, since it then loads from all of them at once. */
DEVICE i32 grouped_columns(i32 rows, i32 length)
{
    return rows > 1 ? 0 : length - length % LOAD_WIDTH;
}

/* Distance of the entries of a column in ell_col. grouped: number of grouped columns. */
DEVICE i32 lane_stride(i32 grouped, i32 column)
{
    (void)grouped;               /* columns are not grouped if LOAD_WIDTH is 1 */
    (void)column;
    return LOAD_WIDTH > 1 && column < grouped ? LOAD_WIDTH : 1;
}

/* The same in ell_val. */
DEVICE i32 value_stride(i32 grouped, i32 column)
{
    (void)grouped;
    (void)column;
    return LOAD_WIDTH > 1 && column < grouped ? VALUE_WIDTH : 1;
}

/* Index within a slice, in ell_col, of the entry of a column and lane. */
DEVICE i32 place_in_slice(i32 grouped, i32 column, i32 lane)
{
    (void)grouped;
    if (LOAD_WIDTH == 1 || column >= grouped)
        return column * ALIGNMENT + lane;
    return (column / LOAD_WIDTH * ALIGNMENT + lane) * LOAD_WIDTH + column % LOAD_WIDTH;
}

/* The same in ell_val: the values of a row that one load takes are contiguous. Each load of
 * neighbouring work-items then takes whole sectors of memory. */
DEVICE i32 value_place_in_slice(i32 grouped, i32 column, i32 lane)
{
    (void)grouped;
    if (LOAD_WIDTH == 1 || column >= grouped)
        return column * ALIGNMENT + lane;
    return (column / VALUE_WIDTH * ALIGNMENT + lane) * VALUE_WIDTH + column % VALUE_WIDTH;
}

#endif
