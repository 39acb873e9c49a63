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

/* First entry of the kept list whose tile is not before this tile. */
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

/* The operands of moving the sums of dirty tiles. */
typedef struct tile_mover {
    GLOBAL const offset *row_ptr;
    GLOBAL real *y;
    GLOBAL const real *record;
    LOCAL i32 *count;            /* [2][WORK_GROUP_SIZE] */
    real alpha, beta;
    i32 base;
} tile_mover;

/* Inclusive prefix sum of `own` over the work-items of the group, all of which call this. Returns
 * where the results begin in `count`. */
DEVICE i32 prefix_count(LOCAL i32 *count, i32 item, i32 own)
{
    i32 from = 0;

    count[item] = own;
    group_barrier();
    for (i32 distance = 1; distance < WORK_GROUP_SIZE; distance *= 2) {
        const i32 to = WORK_GROUP_SIZE - from;

        if (item >= distance)
            own += count[from + item - distance];
        count[to + item] = own;
        group_barrier();
        from = to;
    }
    return from;
}

/* Moves the compact sums of a dirty tile, which owns rows [first_row, next_row), from its records
 * to their rows. All work-items of the group call this with the same tile. */
DEVICE void move_tile(tile_mover m, i32 item, i64 tile, i64 records, i32 first_row, i32 next_row)
{
    const i64 bunch_begin = tile / S * BUNCH + m.base;

    for (i64 begin = first_row; begin < next_row; begin += WORK_GROUP_SIZE) {
        const i64 r = begin + item;
        const i64 from = r < next_row ? m.row_ptr[r] : 0;
        const i64 to = r < next_row ? m.row_ptr[r + 1] : 0;
        const i32 counts = prefix_count(m.count, item, from != to);

        /* A row that began before the bunch is the synchronizer's. */
        if (r < next_row && from == to)
            y_store(m.y, (i32)r, 0, m.alpha, m.beta);
        else if (from != to && from >= bunch_begin)
            y_store(m.y, (i32)r, m.record[records + m.count[counts + item] - 1], m.alpha, m.beta);
        records += m.count[counts + WORK_GROUP_SIZE - 1];
        group_barrier();
    }
}

#endif
