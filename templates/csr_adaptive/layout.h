/* layout.h: the layout of CSR-Adaptive, which is nothing but a list of row blocks.
 *
 * Greathouse & Daga, SC 2014; Daga & Greathouse, HiPC 2015. The caller's CSR stays as it is and is
 * borrowed. Consecutive rows are packed into a block until the next row would make it longer than
 * NNZ_PER_WG nonzeros; a block also ends where a short row follows a long one or the other way
 * round, so that one block is of one kind. With NNZ_PER_WG = 8, NNZ_MULTIPLIER = 1:
 *
 *     row          0  1  2  3  4   5    6  7
 *     nonzeros     3  2  4  0  2   20   1  1
 *     row_block    0     2         5 5 5  6    8
 *     kind         S     S         L L L  S
 *
 *   row_block      i32[blocks + 1]: the first row of each block, and rows at the end. A row of more
 *                  than NNZ_PER_WG * NNZ_MULTIPLIER nonzeros (L, CSR-VectorL) has a block for every
 *                  so many of its nonzeros, all with the same first row.
 *   long_block     i64[long rows]: the first block of each such row.
 *
 * What kind a block is follows from its rows and nonzeros (section III of HiPC 2015):
 *
 *     at least NUM_ROWS_STREAM rows             CSR-Stream
 *     fewer, or one row over NNZ_PER_WG         CSR-Vector, row by row
 *     one row over the limit                    CSR-VectorL, a part of the row
 *
 * Gaps of the papers closed here: a block holds at most NNZ_PER_WG rows, so that a long run of
 * empty rows is shared out too; how the parts of a CSR-VectorL row meet is theirs by atomic
 * additions, ours by a second step that adds them in order; a jump is judged between a row and the
 * one before it.
 */
#ifndef SPMV_CSR_ADAPTIVE_LAYOUT_H
#define SPMV_CSR_ADAPTIVE_LAYOUT_H

#include "../prelude/host.h"
#include "layout_kinds.h"

enum {                           /* spmv_layout.array */
    ROW_BLOCK,
    LONG_BLOCK,
    ARRAY_COUNT
};

enum {                           /* spmv_layout.number */
    NUMBER_BLOCKS,
    NUMBER_LONG_ROWS
};

/* The matrix and its blocks. */
typedef struct adaptive_matrix {
    row_offsets row_ptr;
    const i32 *col_idx;
    const i32 *row_block;
    const i64 *long_block;
    i64 blocks, long_rows;
} adaptive_matrix;

static adaptive_matrix adaptive_view(const spmv_layout *layout)
{
    adaptive_matrix a;
    a.row_ptr = row_offsets_of(&layout->csr);
    a.col_idx = layout->csr.col_idx;
    a.row_block = (const i32 *)layout->array[ROW_BLOCK].data;
    a.long_block = (const i64 *)layout->array[LONG_BLOCK].data;
    a.blocks = layout->number[NUMBER_BLOCKS];
    a.long_rows = layout->number[NUMBER_LONG_ROWS];
    return a;
}

/* ---- kinds --------------------------------------------------------------------------------- */

DEVICE i32 block_kind(const adaptive_matrix *a, i64 block)
{
    const i32 row = a->row_block[block];
    const i32 end = a->row_block[block + 1];

    /* Between two parts of a row there is no row; its last part ends where the next row begins. */
    if (end <= row + 1 && row_length(&a->row_ptr, row) > LONG_ROW_PART)
        return KIND_VECTOR_L;
    if (end - row >= NUM_ROWS_STREAM &&
        row_begin(&a->row_ptr, end) - row_begin(&a->row_ptr, row) <= NNZ_PER_WG)
        return KIND_STREAM;
    return KIND_VECTOR;
}

#endif
