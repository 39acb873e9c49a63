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
 *   dirty        u64[bunches]      the dirty counter: bit s is set if tile s of the bunch is dirty
 *   dirty_rows   i32[tiles][2]     the speculator: the first row of a dirty tile and of the next
 *                                  tile; not written for other tiles
 *   record       real[]            the compact sums of a dirty tile, if they cannot go to y
 *
 * A tile has no more segments that end than it owns rows or has nonzeros. Its records begin at the
 * index of its first row or of its first nonzero, whichever needs less memory in total. So no
 * address depends on the order in which tiles are processed, and there are no atomic counters.
 *
 * With the setting keep_dirty_tiles the build finds the dirty tiles once. The layout then holds
 *
 *   dirty_tile   i64[dirty]        the dirty tiles, in order
 *   dirty_rows   i32[dirty][2]     as above
 *   record_ptr   i64[dirty + 1]    where the records of each begin
 *
 * and the workspace only the synchronizer and one record for each segment of the dirty tiles.
 *
 * On devices dirty_rows of the workspace is called speculator, and each array is a part of its own.
 * If repair is device, a bunch repairs its dirty tiles itself: there are no records and no lists.
 * If repair is records, the list is always kept, and the layout also holds
 *
 *   patch_row    i32[patches]      the rows that the second stage finishes: for each bunch the row
 *                                  that continues after it, then the rows of dirty tiles in order;
 *                                  or ROW_NONE
 *   patch_ptr    i64[dirty]        where the rows of each dirty tile begin
 */
#ifndef SPMV_SPECULATIVE_LAYOUT_H
#define SPMV_SPECULATIVE_LAYOUT_H

#include "../prelude/host.h"
#include "layout_bunch.h"

enum {                           /* spmv_layout.array, if dirty tiles are kept */
    DIRTY_TILE,
    DIRTY_ROWS,
    RECORD_PTR,
    PATCH_ROW,                   /* these two if repair is records */
    PATCH_PTR
};

enum { ARRAY_COUNT = REPAIR == BY_RECORDS ? 5 : 3 };

enum {                           /* spmv_layout.number */
    NUMBER_DIRTY,                /* dirty tiles, if the list is kept */
    NUMBER_RECORDS,              /* room for records */
    NUMBER_IS_KEPT,              /* 1 if the list of dirty tiles is kept */
    NUMBER_PATCHES,              /* rows of patch_row */
    NUMBER_COUNT
};

enum { KEEP_DIRTY_TILES, SETTING_COUNT };    /* spmv_layout.setting */

enum { KEEP_LEAST = REPAIR == BY_RECORDS };

static const spmv_setting settings[SETTING_COUNT] = {
    { "keep_dirty_tiles", "1: find the tiles with empty rows once, when the plan is made, instead "
                          "of in every multiplication; the workspace is then exact", KEEP_LEAST, 1,
                          KEEP_LEAST },
};

/* The matrix as the stages read it. */
typedef struct spec_matrix {
    row_offsets row_ptr;
    const i32 *col_idx;
    const i64 *dirty_tile;       /* these three are NULL if no list is kept, or it is empty */
    const i32 *dirty_rows;
    const i64 *record_ptr;
    const i64 *patch_ptr;        /* NULL unless repair is records */
    i64 nnz, tiles, bunches;
    i64 dirty;
    i32 rows;
    i32 value_bytes;
    bool is_kept;
} spec_matrix;

static spec_matrix spec_view(const spmv_layout *layout)
{
    spec_matrix a;
    a.row_ptr = row_offsets_of(&layout->csr);
    a.col_idx = layout->csr.col_idx;
    a.dirty_tile = (const i64 *)layout->array[DIRTY_TILE].data;
    a.dirty_rows = (const i32 *)layout->array[DIRTY_ROWS].data;
    a.record_ptr = (const i64 *)layout->array[RECORD_PTR].data;
    a.patch_ptr = REPAIR == BY_RECORDS ? (const i64 *)layout->array[PATCH_PTR].data : NULL;
    a.nnz = layout->csr.nnz;
    a.tiles = i64_ceil_div(a.nnz, TILE);
    a.bunches = i64_ceil_div(a.nnz, BUNCH);
    a.dirty = layout->number[NUMBER_DIRTY];
    a.rows = (i32)layout->csr.rows;
    a.value_bytes = (i32)value_bytes(&layout->csr);
    a.is_kept = REPAIR != BY_DEVICE && layout->setting[KEEP_DIRTY_TILES] != 0;
    return a;
}

#endif
