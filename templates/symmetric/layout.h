/* layout.h: the arrays of the half of a symmetric matrix, and its segments.
 *
 * The upper triangle is stored in blocks of BLOCK_ROWS rows, all by diagonals or all by runs of
 * columns. Entry (i, i + d), d >= 0, stands for entry (i + d, i), too.
 *
 * By diagonals, a block has a place for each of its rows on each diagonal; places without an entry
 * hold 0 and have no bit in MASK:
 *
 *   array       elements                         content
 *   DISTANCE    i32[diagonals]                   d, ascending
 *   VAL         real[blocks][diagonals][rows]    values
 *   MASK        u8[blocks][diagonals][rows / 8]  bit r % 8 of byte r / 8: row r has an entry
 *   FULL        u8[blocks][diagonals]            all bits of the mask are set
 *
 * By runs:
 *
 *   array       elements                         content
 *   VAL         real[values + LANES]             values of each group of rows; LANES zeros
 *   INDEX       u16[words]                       columns of each group
 *   BLOCK       i64[blocks + 1][2]               where a block begins in VAL and in INDEX
 *
 * The caller's row_ptr and col_idx are borrowed: by them libspmv compares new values with their
 * mirrors, and gives the matrix back.
 *
 * A segment is a number of blocks; its sums do not depend on other segments. They lie in the
 * segment's ring: row r has place (r - the segment's first row) % ring_rows. The ring holds the
 * rows that a block reaches. A block adds BLOCK_ROWS sums at a time, so behind the ring's end are
 * BLOCK_ROWS more places, which are added to the first ones once a turn:
 *
 *     | 0 ... BLOCK_ROWS | ... | ring_rows ... ring_rows + BLOCK_ROWS |
 *             ^----------------------------------- the same rows
 *
 * What a segment's ring has at its end is the segment's tail, for rows of later segments. The first
 * rows of a segment get tails, so their sums stay in the workspace until all tails are there.
 */
#ifndef SPMV_SYMMETRIC_LAYOUT_H
#define SPMV_SYMMETRIC_LAYOUT_H

#include "../prelude/host.h"

enum { DISTANCE, VAL, MASK, FULL, INDEX, BLOCK, ARRAY_COUNT };        /* spmv_layout.array */

enum {                           /* spmv_layout.number */
    NUMBER_STORAGE,
    NUMBER_DIAGONALS,            /* 0 by runs */
    NUMBER_REACH,
    NUMBER_SEGMENTS,
    NUMBERS
};

enum { BY_DIAGONALS, BY_RUNS };  /* NUMBER_STORAGE */

enum {
    MOST_DIAGONALS = 64,
    RING_PAD = 16,               /* places before a ring, for a window that begins before it */
    FEW_SEGMENTS = 8,            /* fewer are declined in a matrix of many nonzeros */
    MANY_NONZEROS = 1 << 20
};

typedef struct half_matrix {
    const i32 *distance;
    const real *val;
    const u8 *mask;
    const u8 *full;
    const u16 *index;
    const i64 *block;
    i64 storage;
    i64 rows, diagonals, blocks;
    i64 reach;                   /* the longest distance from the main diagonal */
    i64 segments;
} half_matrix;

static half_matrix half_view(const spmv_layout *layout)
{
    half_matrix a;
    a.distance = (const i32 *)layout->array[DISTANCE].data;
    a.val = (const real *)layout->array[VAL].data;
    a.mask = (const u8 *)layout->array[MASK].data;
    a.full = (const u8 *)layout->array[FULL].data;
    a.index = (const u16 *)layout->array[INDEX].data;
    a.block = (const i64 *)layout->array[BLOCK].data;
    a.storage = layout->number[NUMBER_STORAGE];
    a.rows = layout->csr.rows;
    a.diagonals = layout->number[NUMBER_DIAGONALS];
    a.blocks = i64_ceil_div(a.rows, BLOCK_ROWS);
    a.reach = layout->number[NUMBER_REACH];
    a.segments = layout->number[NUMBER_SEGMENTS];
    return a;
}

/* The first block of segment s. */
DEVICE i64 segment_block(const half_matrix *a, i64 s)
{
    return a->blocks * s / a->segments;
}

/* The first row of segment s; of the segment behind the last, the number of rows. */
DEVICE i64 segment_row(const half_matrix *a, i64 s)
{
    return i64_min(segment_block(a, s) * BLOCK_ROWS, a->rows);
}

/* Places of a ring for rows that a block reaches; a multiple of BLOCK_ROWS. */
DEVICE i64 ring_rows(i64 reach)
{
    return (i64_ceil_div(reach, BLOCK_ROWS) + 2) * BLOCK_ROWS;
}

DEVICE i64 ring_values(i64 reach)
{
    return ring_rows(reach) + BLOCK_ROWS;
}

/* Values of a segment in the workspace: RING_PAD, its ring, and the sums of its heads. */
DEVICE i64 segment_values(i64 reach)
{
    return RING_PAD + ring_values(reach) + i64_ceil_div(reach, BLOCK_ROWS) * BLOCK_ROWS;
}

DEVICE real *segment_ring(const half_matrix *a, real *workspace, i64 s)
{
    return workspace + s * segment_values(a->reach) + RING_PAD;
}

/* The first rows of segment s, which earlier segments reach. */
DEVICE i64 segment_heads(const half_matrix *a, i64 s)
{
    const i64 rows = segment_row(a, s + 1) - segment_row(a, s);

    return s > 0 ? i64_min(rows, a->reach) : 0;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

/* A segment has SEGMENT_REACHES times the rows that it reaches beyond its end. */
static i64 segments_of(i64 blocks, i64 reach)
{
    const i64 least = i64_ceil_div(SEGMENT_REACHES * reach, BLOCK_ROWS);

    (void)reach;
    return i64_max(1, i64_min(SEGMENTS, blocks / i64_max(least, 1)));
}

/* Sets the segments and their workspace; declines few segments of many entries. */
static spmv_status set_segments(spmv_layout *layout, i64 reach, i64 entries)
{
    const i64 segments = segments_of(i64_ceil_div(layout->csr.rows, BLOCK_ROWS), reach);

    if (segments < FEW_SEGMENTS && entries > MANY_NONZEROS)
        return SPMV_UNSUPPORTED;
    layout->number[NUMBER_REACH] = reach;
    layout->number[NUMBER_SEGMENTS] = segments;
    return set_workspace(layout, segments * segment_values(reach), sizeof(real));
}

#endif
