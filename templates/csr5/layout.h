/* layout.h: the CSR5 layout, built from CSR and turned back into it.
 *
 * Liu & Vinter, ICS 2015, section 3. The nonzeros, in CSR order, are cut into tiles of omega lanes
 * by sigma steps. A lane holds sigma consecutive nonzeros; a step is one vector, the lanes'
 * nonzeros side by side. With omega = 4 and sigma = 3, the tile of nonzeros 0 to 11:
 *
 *              lane 0  1  2  3
 *     step 0        0  3  6  9       <- col_idx and val hold the tile step by step:
 *     step 1        1  4  7 10          0 3 6 9  1 4 7 10  2 5 8 11
 *     step 2        2  5  8 11
 *
 * Where a work-item loads LOAD_WIDTH nonzeros at once, so many steps of a lane lie together, and
 * what is left of sigma follows step by step. With LOAD_WIDTH = 2:
 *
 *                                       0 1 3 4 6 7 9 10  2 5 8 11
 *
 * Nonzeros beyond the last complete tile (the tail) stay in CSR order.
 *
 * The five arrays of the paper:
 *
 *   row_ptr      the caller's own, borrowed.
 *   tile_ptr     u32[tiles + 1]: the row of each tile's first nonzero; the top bit is set where an
 *                empty row lies between two rows of the tile (so that row 0 can be "-0"). The last
 *                entry is the row of the tail's first nonzero, or rows if there is no tail.
 *   tile_desc    u32[tiles][words][omega]: for each lane, from the highest bit of word 0 on
 *
 *                    +----------+------------+----------------------+
 *                    | y_offset | seg_offset | bit_flag             |
 *                    +----------+------------+----------------------+
 *                      Y bits     L bits       sigma bits, step 0 first
 *
 *                with Y = bits of omega * sigma and L = log2(omega), over as many words as they
 *                need; a lane's words lie omega apart, so that one vector load takes the same word
 *                of all lanes.
 *                  bit_flag    1 where a row starts; always 1 at lane 0, step 0, which seals the
 *                              part of a row that comes from the tile before
 *                  y_offset    flags in the lanes before this one
 *                  seg_offset  lanes without a flag that follow this one directly
 *   col_idx      i32: the columns, transposed in the tiles, in the caller's base
 *   val          real[nnz], transposed likewise
 *
 * Not the paper's: a tile whose last column is less than NARROW_SPAN behind its first one is
 * narrow. It has them in 16 bits, as offsets from the first; all others, and the tail, have them in
 * col_idx. So each array has the tiles of one kind alone, without gaps:
 *
 *   tile_columns u64[complete tiles + 1]: for each, the last entry being the tail's, which is wide
 *
 *                    +--------+-----------------------------+-----------------------+
 *                    | wide   | tiles of its kind before it | what its offsets      |
 *                    |        |                             | count from, or 0      |
 *                    +--------+-----------------------------+-----------------------+
 *                      1 bit    32 bits                       31 bits
 *
 *   col_idx      i32[wide tiles * omega * sigma + tail]
 *   col_offset   u16[narrow tiles * omega * sigma]
 *
 * A segment is the run of nonzeros from one flag to the next. Segment j of a tile belongs to row
 * tile_ptr + j; in a tile with the top bit set it belongs to row tile_ptr + empty_offset[j]:
 *
 *   empty_ptr    i64[tiles + 1]: where the tile's entries of empty_offset begin
 *   empty_offset i32: one entry a segment, for tiles with the top bit only; room for a segment a
 *                row that has nonzeros and one a tile, since how many tiles need it is known only
 *                after the tiles have been described
 *
 * Gaps of the paper closed here: rows without nonzeros are never written by its kernels; ours list
 * them. Where kernels of a device multiply, the tail has a
 * descriptor too, as a tile whose missing nonzeros no row takes; tile_ptr then ends with rows.
 *
 * It leaves open what happens when the fields need more than 32 bits (several words here), and it
 * transposes the caller's arrays in place (ours are copies, so the caller's CSR is never changed).
 */
#ifndef SPMV_CSR5_LAYOUT_H
#define SPMV_CSR5_LAYOUT_H

#include "../prelude/host.h"
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
    FORM_ARRAYS                  /* the first of those that a form of the method has for itself */
};

enum {                           /* spmv_layout.number */
    NUMBER_TILES,                /* complete tiles */
    NUMBER_SIGMA,
    NUMBER_CHUNKS,               /* of CHUNK_TILES tiles, the tail counting as one */
    NUMBER_DESCRIBED,            /* tiles that have a descriptor */
    NUMBER_WIDE,                 /* complete tiles with columns of 32 bits */
    FORM_NUMBERS
};

/* The layout as kernels read it, but for values. */
typedef struct csr5_matrix {
    row_offsets row_ptr;
    const u32 *tile_ptr;
    const u32 *tile_desc;
    const u64 *columns;
    const i32 *col_idx;
    const u16 *col_offset;
    const i64 *empty_ptr;        /* NULL where no row is empty */
    const i32 *empty_offset;
    i64 nnz, tiles, described, chunks, wide_tiles;
    i32 rows;
    tile_shape shape;
} csr5_matrix;

/* Does a row start exactly at nonzero k, which lies in `row`? */
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

/* Where in col_idx the tail begins. */
DEVICE i64 tail_columns(const csr5_matrix *a)
{
    return a->wide_tiles * a->shape.size;
}

#endif
