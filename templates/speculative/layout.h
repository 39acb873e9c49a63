/* layout.h: the input of the speculative segmented sum, and the data that its two stages exchange.
 *
 * Nothing is converted: row_ptr, col_idx and val are the caller's own, borrowed. The nonzeros, in
 * CSR order, are cut into tiles of T * W nonzeros, and S tiles form a bunch. A row belongs to the
 * tile in which it ends. A tile owns the rows from its first row up to the next tile's first row,
 * so each row has exactly one owner. With T * W = 4, a tile of a matrix whose row 2 is empty:
 *
 *     nonzeros       | 0  1  2  3 | 4  5  6  7 | 8 ...      row_ptr   0 3 5 5 7 9
 *     their rows     | 0  0  0  1 | 1  3  3  4 | 4
 *     rows that end  | 0          | 1  2  3    | 4          2 ends where it begins: at nonzero 5
 *     first row      | 0          | 1          | 4
 *
 * An empty row at the border of two tiles belongs to the first of them. Empty rows before the first
 * nonzero belong to tile 0, so that tile 0 begins with row 0, whichever row contains nonzero 0. A
 * tile that owns an empty row is dirty: the compact sums of its segments (rows 1 and 3 above) do
 * not belong to consecutive rows. Which tiles are dirty depends on row_ptr only.
 *
 * The workspace of a multiplication, which the first stage writes and the second reads:
 *
 *   sum          real[bunches][2]  the synchronizer: the bunch's part of the row that began before
 *                                  it; its part of the row that begins in it and does not end there
 *   open_row     i32[bunches]      that second row, or ROW_NONE
 *   dirty        u64[bunches]      if repair is host: bit s is set if the compact sums of tile s of
 *                                  the bunch are in y, and the second stage moves them
 *   dirty_counter i32[1]           on devices, with the parameter dirty_counter: how many tiles
 *                                  these bits mark
 *   speculator   i32[tiles]        if repair is host and the first stage finds the borders, as on
 *                                  CPUs: the first row of each tile
 *
 * Compact sums go to rows of y that the tile owns, from its first row on, only if beta is 0. If
 * beta is not 0, y has old values that later rows of the tile need: the bunch then stores each sum
 * to its own row, as it does for any beta if repair is device. So no tile needs memory for its
 * sums, and the size of the workspace depends on nnz alone.
 *
 * If repair is records, no host step touches y, and the layout lists the dirty tiles. On CPUs
 * repair = records is the same as repair = host.
 */
#ifndef SPMV_SPECULATIVE_LAYOUT_H
#define SPMV_SPECULATIVE_LAYOUT_H

#include "../prelude/host.h"
#include "layout_bunch.h"

/* The matrix as the stages read it. */
typedef struct spec_matrix {
    row_offsets row_ptr;
    const i32 *col_idx;
    i64 nnz, tiles, bunches;
    i32 rows;
    i32 value_bytes;
} spec_matrix;

static spec_matrix spec_view(const spmv_layout *layout)
{
    spec_matrix a;
    a.row_ptr = row_offsets_of(&layout->csr);
    a.col_idx = layout->csr.col_idx;
    a.nnz = layout->csr.nnz;
    a.tiles = i64_ceil_div(a.nnz, TILE);
    a.bunches = i64_ceil_div(a.nnz, BUNCH);
    a.rows = (i32)layout->csr.rows;
    a.value_bytes = (i32)value_bytes(&layout->csr);
    return a;
}

#endif
