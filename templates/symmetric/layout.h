/* layout.h: the arrays of the half of a symmetric matrix, and its segments.
 *
 * The upper triangle is stored by diagonals. Entry (i, i + d) is on diagonal d >= 0, and stands for
 * entry (i + d, i), too. Blocks of BLOCK_ROWS rows follow each other. A block has a place for each
 * of its rows on each diagonal; places without an entry hold 0 and have no bit in MASK.
 *
 *   array       elements                         content
 *   DISTANCE    i32[diagonals]                   d, ascending
 *   VAL         real[blocks][diagonals][rows]    values
 *   MASK        u8[blocks][diagonals][rows / 8]  bit r % 8 of byte r / 8: row r has an entry
 *   FULL        u8[blocks][diagonals]            all bits of the mask are set
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
#ifndef SYMMETRIC_LAYOUT_H
#define SYMMETRIC_LAYOUT_H

#include "../prelude/host.h"

enum { DISTANCE, VAL, MASK, FULL, ARRAY_COUNT };                      /* spmv_layout.array */
enum { NUMBER_DIAGONALS, NUMBER_REACH, NUMBER_SEGMENTS, NUMBERS };    /* spmv_layout.number */

enum {
    MOST_DIAGONALS = 64,
    FEW_SEGMENTS = 8,            /* fewer are declined in a matrix of many nonzeros */
    MANY_NONZEROS = 1 << 20
};

typedef struct half_matrix {
    const i32 *distance;
    const real *val;
    const u8 *mask;
    const u8 *full;
    i64 rows, diagonals, blocks;
    i64 reach;                   /* the longest distance */
    i64 segments;
} half_matrix;

static half_matrix half_view(const spmv_layout *layout)
{
    half_matrix a;
    a.distance = (const i32 *)layout->array[DISTANCE].data;
    a.val = (const real *)layout->array[VAL].data;
    a.mask = (const u8 *)layout->array[MASK].data;
    a.full = (const u8 *)layout->array[FULL].data;
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

/* Values of a segment in the workspace: its ring, and behind it the sums of its heads. */
DEVICE i64 segment_values(i64 reach)
{
    return ring_values(reach) + i64_ceil_div(reach, BLOCK_ROWS) * BLOCK_ROWS;
}

/* The first rows of segment s, which earlier segments reach. */
DEVICE i64 segment_heads(const half_matrix *a, i64 s)
{
    const i64 rows = segment_row(a, s + 1) - segment_row(a, s);

    return s > 0 ? i64_min(rows, a->reach) : 0;
}

#endif
