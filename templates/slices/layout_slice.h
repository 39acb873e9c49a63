/* layout_slice.h: a slice, as host code writes and kernels read it.
 *
 *   word of `head`     bits
 *   0                  29: where its values begin, in SLICE_ROWS values; 3: its kind
 *   1                  29: where its columns begin, in SLICE_ROWS; 3: log2 of its lanes
 *   2                  the column that narrow columns count from; of diagonals, where
 *                      their distances from the main diagonal begin in `diagonal`
 *   3                  8: its width, the units of its longest lane; 24: its window
 *
 *   word of `lane`     bits
 *                      10: the row of the lane, in the window; 6: units that the lane has
 *                      less than the width, or NO_ROW
 *
 * A unit is one entry, or a run of 2 to 4 entries in consecutive columns. Lane i of a row has the
 * row's units i, i + lanes, i + 2 * lanes, ...
 */
#ifndef SPMV_SLICES_LAYOUT_SLICE_H
#define SPMV_SLICES_LAYOUT_SLICE_H

#include "../prelude/base.h"

typedef enum slice_kind {
    KIND_WIDE,                   /* a column of 32 bits for each entry */
    KIND_NARROW,                 /* 16 bits */
    KIND_DIAGONALS,              /* none: all rows have the same distances from the diagonal */
    KIND_RUNS_OF_2,              /* 16 bits for each run */
    KIND_RUNS_OF_3,
    KIND_RUNS_OF_4
} slice_kind;

enum { HEAD_WORDS = 4, PLACE_BITS = 29, WIDTH_BITS = 8, ROW_BITS = 10, NO_ROW = 63 };

/* A slice's head, unpacked. write_head packs it. */
typedef struct slice_head {
    i64 values_at, columns_at;   /* in SLICE_ROWS */
    i32 kind;
    i32 log2_lanes;
    i32 base;
    i32 width;
    i64 window;
} slice_head;

DEVICE slice_head read_head(const i32 *word)
{
    const u32 places = (1u << PLACE_BITS) - 1;
    slice_head h;

    h.values_at = (u32)word[0] & places;
    h.kind = (i32)((u32)word[0] >> PLACE_BITS);
    h.columns_at = (u32)word[1] & places;
    h.log2_lanes = (i32)((u32)word[1] >> PLACE_BITS);
    h.base = word[2];
    h.width = word[3] & ((1 << WIDTH_BITS) - 1);
    h.window = (u32)word[3] >> WIDTH_BITS;
    return h;
}

/* Entries of a unit. */
DEVICE i32 run_of(i32 kind)
{
    return kind < KIND_RUNS_OF_2 ? 1 : kind - KIND_RUNS_OF_2 + 2;
}

/* Single entries that are loaded in whole turns; the rest of the width is stored one by one. */
DEVICE i32 whole_turns(i32 width)
{
    return width - width % TURN;
}

/* Values of a run that are contiguous: as many as one load takes. */
DEVICE i32 run_value_width(i32 run)
{
    const i32 most = run == 3 ? 2 : run;

    return VALUE_WIDTH < most ? VALUE_WIDTH : most;
}

/* Index of a lane's element k, if `group` elements of a lane are contiguous. */
DEVICE i32 grouped_place(i32 group, i32 k, i32 lane)
{
    return (k / group * SLICE_ROWS + lane) * group + k % group;
}

/* Index within a slice of a lane's entry j of unit k. */
DEVICE i32 value_place(i32 kind, i32 width, i32 k, i32 j, i32 lane)
{
    const i32 run = run_of(kind);
    const i32 group = run_value_width(run);

    if (run > 1)
        return k * run * SLICE_ROWS +
               grouped_place(j < run - run % group ? group : 1, j, lane);
    return grouped_place(k < whole_turns(width) ? VALUE_WIDTH : 1, k, lane);
}

/* Index within a slice of the column of a lane's unit k. */
DEVICE i32 column_place(i32 kind, i32 width, i32 k, i32 lane)
{
    const bool is_whole = kind < KIND_RUNS_OF_2 && k < whole_turns(width);

    return grouped_place(is_whole ? LOAD_WIDTH : 1, k, lane);
}

#endif
