/* layout.h: the CSR5 layout, built from CSR and turned back into it.
 *
 * Liu & Vinter, ICS 2015, section 3. The nonzeros, in CSR order, are cut into tiles of omega lanes
 * by sigma steps. A lane holds sigma consecutive nonzeros; a step is one vector, which holds one
 * nonzero of each lane. With omega = 4 and sigma = 3, the tile of nonzeros 0 to 11:
 *
 *              lane 0  1  2  3
 *     step 0        0  3  6  9       <- col_idx and val hold the tile step by step:
 *     step 1        1  4  7 10          0 3 6 9  1 4 7 10  2 5 8 11
 *     step 2        2  5  8 11
 *
 * If a work-item loads LOAD_WIDTH columns or VALUE_WIDTH values at once, as many steps of a lane
 * are consecutive, and the remaining steps of sigma follow one by one. With a width of 2:
 *
 *                                       0 1 3 4 6 7 9 10  2 5 8 11
 *
 * Nonzeros after the last complete tile (the tail) stay in CSR order.
 *
 * The five arrays of the paper:
 *
 *   row_ptr      the caller's, borrowed.
 *   tile_ptr     u32[tiles + 1]: the row of each tile's first nonzero. The top bit is set if an
 *                empty row lies between two rows of the tile. (Algorithm 4 also marks a tile whose
 *                last row an empty one follows, which needs no empty_offset.) The last entry is the
 *                row of the tail's first nonzero, or rows if there is no tail.
 *   tile_desc    u32[tiles][words][omega]: for each lane, from the highest bit of word 0 on
 *
 *                    +----------+------------+----------------------+
 *                    | y_offset | seg_offset | bit_flag             |
 *                    +----------+------------+----------------------+
 *                      Y bits     L bits       sigma bits, step 0 first
 *
 *                with Y = log2(omega * sigma), rounded up and at least 1, and L = log2(omega), in
 *                as many words as are needed. The words of a lane are omega apart, so that one
 *                vector load takes the same word of all lanes.
 *                  bit_flag    1 where a row starts; always 1 at lane 0, step 0, which separates
 *                              the row that continues from the tile before
 *                  y_offset    number of flags in the lanes before this one
 *                  seg_offset  number of lanes without a flag directly after this one
 *   col_idx      i32: the columns, transposed in the tiles, in the caller's base
 *   val          real[nnz], transposed likewise
 *
 * Beyond the paper: a tile whose columns span less than NARROW_SPAN is narrow. Its columns are
 * stored in 16 bits, as offsets from the smallest one. All other tiles, and the tail, have theirs
 * in col_idx. Each of the two arrays holds the tiles of one kind without gaps:
 *
 *   tile_columns u64[complete tiles + 1]: one word for each tile, in units of a tile, and one for
 *                the tail, which is wide
 *
 *   col_idx      i32[wide tiles * omega * sigma + tail]
 *   col_offset   u16[narrow tiles * omega * sigma]
 *
 * A segment is the run of nonzeros from one flag to the next. Segment j of a tile belongs to row
 * tile_ptr + j or, in a tile with the top bit set, to row tile_ptr + empty_offset[j]:
 *
 *   empty_ptr    i64[tiles + 1]: where the tile's entries of empty_offset begin
 *   empty_offset i32: one entry for each segment of the tiles with the top bit set. There is room
 *                for one segment of each nonempty row and one of each tile, since the number of
 *                such tiles is known only after they have been described
 *
 * Gaps of the paper closed here: Algorithm 8 writes no row without nonzeros; here they are listed.
 * For kernels of a device the tail has a descriptor too, as a tile whose missing nonzeros belong to
 * no row; tile_ptr then ends with rows.
 *
 * The paper leaves open what happens if the fields need more than 32 bits (here: several words),
 * and transposes the caller's arrays in place (here: copies; the caller's CSR never changes).
 */
#ifndef SPMV_CSR5_LAYOUT_H
#define SPMV_CSR5_LAYOUT_H

#include "../prelude/host.h"
#include "../common/layout_columns.h"
#include "layout_fields.h"

enum {                           /* spmv_layout.array */
    TILE_PTR,
    TILE_DESC,
    TILE_COLUMNS,
    COL_IDX,
    COL_OFFSET,
    VAL,
    EMPTY_PTR,
    EMPTY_OFFSET,
    FORM_ARRAYS                  /* first of the arrays that only CPUs or only devices have */
};

enum {                           /* spmv_layout.number */
    NUMBER_TILES,                /* complete tiles */
    NUMBER_SIGMA,
    NUMBER_CHUNKS,               /* chunks of CHUNK_TILES tiles; the tail counts as one tile */
    NUMBER_DESCRIBED,            /* tiles that have a descriptor */
    NUMBER_WIDE,                 /* complete tiles with columns of 32 bits */
    FORM_NUMBERS
};

/* The layout as kernels read it, without values. */
typedef struct csr5_matrix {
    row_offsets row_ptr;
    const u32 *tile_ptr;
    const u32 *tile_desc;
    const u64 *columns;
    const i32 *col_idx;
    const u16 *col_offset;
    const i64 *empty_ptr;        /* NULL if no row is empty */
    const i32 *empty_offset;
    i64 nnz, tiles, described, chunks, wide_tiles;
    i32 rows;
    tile_shape shape;
} csr5_matrix;

/* Does `row`, in which nonzero k lies, start at k? */
DEVICE bool row_starts_at(const csr5_matrix *a, i32 row, i64 k)
{
    return row_begin(&a->row_ptr, row) == k;
}

static csr5_matrix csr5_view(const spmv_layout *layout)
{
    csr5_matrix a;
    a.row_ptr = row_offsets_of(&layout->csr);
    a.tile_ptr = (const u32 *)layout->array[TILE_PTR].data;
    a.tile_desc = (const u32 *)layout->array[TILE_DESC].data;
    a.columns = (const u64 *)layout->array[TILE_COLUMNS].data;
    a.col_idx = (const i32 *)layout->array[COL_IDX].data;
    a.col_offset = (const u16 *)layout->array[COL_OFFSET].data;
    a.empty_ptr = (const i64 *)layout->array[EMPTY_PTR].data;
    a.empty_offset = (const i32 *)layout->array[EMPTY_OFFSET].data;
    a.nnz = layout->csr.nnz;
    a.tiles = layout->number[NUMBER_TILES];
    a.chunks = layout->number[NUMBER_CHUNKS];
    a.described = layout->number[NUMBER_DESCRIBED];
    a.wide_tiles = layout->number[NUMBER_WIDE];
    a.rows = (i32)layout->csr.rows;
    a.shape = shape_of(SIGMA ? SIGMA : (i32)layout->number[NUMBER_SIGMA]);
    return a;
}

/* Start of the tail in col_idx. */
DEVICE i64 tail_columns(const csr5_matrix *a)
{
    return a->wide_tiles * a->shape.size;
}

#endif
