/* layout_descriptor.h: the segment descriptor of a tile. */
#ifndef SPMV_SPECULATIVE_LAYOUT_DESCRIPTOR_H
#define SPMV_SPECULATIVE_LAYOUT_DESCRIPTOR_H

#include "layout.h"

/* A tile's segment descriptor. Nonzero k of the tile belongs to lane k / W at step k % W. */
typedef struct tile_descriptor {
    u32 end_flag[T];             /* a word for each lane; bit s is set if a row ends with step s */
    i32 end_at[TILE];            /* step * T + lane of the end of each segment, in order */
    i32 segments;                /* number of segments that end in the tile */
    i32 next_row;                /* the first row of the next tile */
} tile_descriptor;

/* Describes a tile whose first row is `row`. In the paper a bunch finds the rows at its S + 1
 * borders by binary search (Appendix A, Algorithm 1). Here one thread visits the rows in order, and
 * is at the next border once the tile is described. */
DEVICE void describe_tile(const spec_matrix *a, i64 tile, i32 row, tile_descriptor *d)
{
    const row_offsets row_ptr = a->row_ptr;
    const i32 rows = a->rows;
    const i64 begin = tile * TILE;
    const i64 size = i64_min(TILE, a->nnz - begin);
    i64 last_end = 0;
    i32 segments = 0;

    for (i32 lane = 0; lane < T; lane++)
        d->end_flag[lane] = 0;

    /* Empty rows before the first nonzero of the matrix end before the tile. */
    while (row < rows && row_begin(&row_ptr, row + 1) == begin)
        row++;

    /* An empty row has the end of the row before it, so it writes the same values again. */
    for (; row < rows; row++) {
        const i64 end = row_begin(&row_ptr, row + 1) - begin;
        if (end > size)
            break;

        const u32 k = (u32)end - 1;
        segments += end != last_end;
        d->end_flag[k / W] |= 1u << k % W;
        d->end_at[segments - 1] = (i32)(k % W * T + k / W);
        last_end = end;
    }
    d->segments = segments;
    d->next_row = row;
}

#endif
