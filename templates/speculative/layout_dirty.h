/* layout_dirty.h: finds the dirty tiles of a matrix. */
#ifndef SPMV_SPECULATIVE_LAYOUT_DIRTY_H
#define SPMV_SPECULATIVE_LAYOUT_DIRTY_H

#include "layout.h"
#include "layout_descriptor.h"

/* Dirty tiles, and how many rows and segments, which are nonempty rows, end in them. */
typedef struct dirty_counts {
    i64 tiles, segments, rows;
} dirty_counts;

/* Describes every tile, and fills the arrays if they are given: the dirty tiles; the first row of
 * each, and of the tile after it; the number of segments before each, and the total. */
static dirty_counts find_dirty_tiles(const spec_matrix *a, i64 *dirty_tile, i32 *dirty_rows,
                                     i64 *record_ptr)
{
    dirty_counts found = { 0, 0, 0 };
    tile_descriptor d;
    i32 row = 0;

    for (i64 t = 0; t < a->tiles; t++) {
        describe_tile(a, t, row, &d);
        if (d.segments < d.next_row - row) {
            if (dirty_tile) {
                dirty_tile[found.tiles] = t;
                dirty_rows[2 * found.tiles] = row;
                dirty_rows[2 * found.tiles + 1] = d.next_row;
                record_ptr[found.tiles] = found.segments;
            }
            found.tiles++;
            found.segments += d.segments;
            found.rows += d.next_row - row;
        }
        row = d.next_row;
    }
    if (record_ptr)
        record_ptr[found.tiles] = found.segments;
    return found;
}

#endif
