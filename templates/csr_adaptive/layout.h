/* layout.h: the layout of CSR-Adaptive, which is a list of row blocks.
 *
 * Greathouse & Daga, SC 2014; Daga & Greathouse, HiPC 2015. The caller's CSR is borrowed and stays
 * as it is. Consecutive rows are packed into a block until the next row would make it longer than
 * NNZ_PER_WG nonzeros. A block also ends between a short and a long row, so that its rows are of
 * similar length. With NNZ_PER_WG = 8, NNZ_MULTIPLIER = 1:
 *
 *     row          0  1  2  3  4   5    6  7
 *     nonzeros     3  2  4  0  2   20   1  1
 *     row_block    0     2         5 5 5  6    8
 *     kind         S     S         L L L  S
 *
 *   row_block      i32[blocks + 1]: the first row of each block, and rows at the end. A row of more
 *                  than NNZ_PER_WG * NNZ_MULTIPLIER nonzeros (L, CSR-VectorL) is cut into parts of
 *                  that size. Each part is a block, all with the same first row. With
 *                  NNZ_MULTIPLIER = 0 no row is cut up to 2^30 nonzeros.
 *   long_block     i64[long rows]: the first block of each CSR-VectorL row.
 *
 * The kind of a block follows from its rows and nonzeros (section III of HiPC 2015):
 *
 *     at least NUM_ROWS_STREAM rows             CSR-Stream
 *     fewer, or one row over NNZ_PER_WG         CSR-Vector, row by row
 *     one row over the limit                    CSR-VectorL, a part of the row
 *
 * Gaps of the papers closed here: a block has at most NNZ_PER_WG rows, so that a long run of empty
 * rows is divided too; the parts of a CSR-VectorL row are added in order by a second step, where
 * the papers use atomic additions; "between a short and a long row" compares consecutive rows.
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
    i64 blocks;
} adaptive_matrix;

static adaptive_matrix adaptive_view(const spmv_layout *layout)
{
    adaptive_matrix a;
    a.row_ptr = row_offsets_of(&layout->csr);
    a.col_idx = layout->csr.col_idx;
    a.row_block = (const i32 *)layout->array[ROW_BLOCK].data;
    a.long_block = (const i64 *)layout->array[LONG_BLOCK].data;
    a.blocks = layout->number[NUMBER_BLOCKS];
    return a;
}

/* ---- kinds --------------------------------------------------------------------------------- */

DEVICE i32 block_kind(const adaptive_matrix *a, i64 block)
{
    const i32 row = a->row_block[block];
    const i32 end = a->row_block[block + 1];

    /* Parts of a row have the same first row, and the last part ends at the next row. */
    if (end <= row + 1 && row_length(&a->row_ptr, row) > LONG_ROW_PART)
        return KIND_VECTOR_L;
    return kind_of_rows(end - row, row_begin(&a->row_ptr, end) - row_begin(&a->row_ptr, row));
}

#endif
