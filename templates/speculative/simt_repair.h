/* simt_repair.h: functions of the second stage on work-items; the first stage uses some. */
#ifndef SPMV_SPECULATIVE_SIMT_REPAIR_H
#define SPMV_SPECULATIVE_SIMT_REPAIR_H

#include "../prelude/simt.h"
#include "layout_bunch.h"

/* Does `row`, in which nonzero k lies, begin before k? */
DEVICE bool row_begins_before(GLOBAL const offset *row_ptr, i32 base, i32 rows, i32 row, i64 k)
{
    return row < rows && (i64)row_ptr[row] - base < k;
}

/* The first row of a tile that begins with nonzero k: the row that contains it; row 0 for tile 0,
 * and `rows` after the last nonzero. */
DEVICE i32 row_at_border(GLOBAL const offset *row_ptr, i32 base, i32 rows, i64 k)
{
    i32 low = 0;
    i32 high = k > 0 ? rows : 0;

    /* Of several rows that begin at the same nonzero the last one is not empty, and contains it. */
    while (low < high) {
        const i32 middle = high - (high - low) / 2;
        if ((i64)row_ptr[middle] - base <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* First entry of the list of dirty tiles whose tile is not before this tile. */
DEVICE i64 first_dirty_at_or_after(GLOBAL const i64 *dirty_tile, i64 dirty_tiles, i64 tile)
{
    i64 low = 0;
    i64 high = dirty_tiles;

    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (dirty_tile[middle] < tile)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
