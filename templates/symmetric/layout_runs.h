/* layout_runs.h: the half of a symmetric matrix by runs of columns.
 *
 * A group is one to three consecutive rows of a block whose columns after the group's last row are
 * the same, as those of a mesh node's unknowns are. Its corner, the entries in the columns of its
 * own rows, is whole. A single row has a corner, too, which may be a hole. VAL has
 *
 *   | corner, row by row | row 0 after the corner | row 1 | row 2 |
 *
 * Windows of RUN_WIDTH columns cover the columns after the corner; RUN_WINDOWS make a vector. Its
 * mask marks the columns that the rows have, lane 0 lowest. INDEX has
 *
 *   | rows and HAS_DIAGONAL | vectors | wrapped vectors | length | window ... window | mask | ...
 *                                              distances from a base column
 *
 * The ring of a segment is shorter than the segment. Columns of a block that lie behind the ring's
 * end are at its begin, so their vectors are apart, with a base of their own. Near the last column
 * a window begins earlier, to end within x. It may begin before the base, so a base is as early.
 */
#ifndef SPMV_SYMMETRIC_LAYOUT_RUNS_H
#define SPMV_SYMMETRIC_LAYOUT_RUNS_H

#include "../prelude/simd.h"
#include "layout.h"

enum {
    RUN_WIDTH = V_RUN,           /* columns of a window, which v_load_runs loads at once */
    MOST_GROUP_ROWS = 3,
    GROUP_HEAD = 4,              /* u16 of a group before its vectors */
    HAS_DIAGONAL = 4,            /* beside the number of rows */
    MOST_DISTANCE = 65000        /* from the first row of a block, so that u16 hold it */
};

enum {                           /* of a vector */
    RUN_WINDOWS = LANES / RUN_WIDTH,
    RUN_WORDS = RUN_WINDOWS + 1  /* u16 */
};

/* Entries of a group's corner. */
DEVICE i64 corner_entries(i64 rows)
{
    return rows * (rows + 1) / 2;
}

/* A block in its segment's ring. */
typedef struct block_place {
    i64 at;                      /* of the block's first row in the ring */
    i64 wrap;                    /* columns from here on are at the ring's begin */
    i64 base[2];                 /* base columns: before and after the wrap */
    i64 ring[2];                 /* their places in the ring, from -RING_PAD on */
} block_place;

DEVICE block_place place_of(const half_matrix *a, i64 b, i64 at)
{
    const i64 row = b * BLOCK_ROWS;
    const i64 last = a->rows - RUN_WIDTH;    /* where the last window begins */
    block_place p;

    p.at = at;
    p.wrap = row + ring_rows(a->reach) - at;
    p.base[0] = i64_min(row, last);
    p.base[1] = i64_min(p.wrap, last);
    p.ring[0] = at - (row - p.base[0]);
    p.ring[1] = p.base[1] - p.wrap;
    return p;
}

#endif
