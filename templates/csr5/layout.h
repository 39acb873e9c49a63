/* layout.c: the CSR5 layout, built from CSR and turned back into it.
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

#include "fields.c"

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

/* ---- what the two forms of the method answer for themselves ---------------------------------- */

/* Tiles that have a descriptor, of so many nonzeros: the complete ones, or the tail too. */
static i64 form_described_tiles(i64 nnz, i32 tile_size);

/* States the arrays from FORM_ARRAYS on, array_count, and the workspace. */
static spmv_status form_arrays(spmv_layout *layout);

/* Appends the steps that fill those arrays. */
static i32 form_build_steps(const spmv_layout *layout, spmv_step *step, i32 count);

/* Where in col_idx the tail begins. */
DEVICE i64 tail_columns(const csr5_matrix *a)
{
    return a->wide_tiles * a->shape.size;
}

/* ---- sizes --------------------------------------------------------------------------------- */

/* Section 3.2: sigma from the average row length, rounded down, by <r, s, t, u>. */
static i32 choose_sigma(const spmv_csr *csr)
{
    const i64 average = csr->rows ? csr->nnz / csr->rows : 0;
    if (average <= R)
        return R;
    if (average <= S)
        return (i32)average;
    return average <= T ? S : U;
}

/* The first of `count` columns, and by how much the last is behind it. */
typedef struct column_span {
    i32 first;
    i64 span;
} column_span;

static column_span span_of(const i32 *col_idx, i32 count)
{
    column_span result;
    i32 least = col_idx[0];
    i32 most = least;

    for (i32 i = 1; i < count; i++) {
        least = col_idx[i] < least ? col_idx[i] : least;
        most = col_idx[i] > most ? col_idx[i] : most;
    }
    result.first = least;
    result.span = (i64)most - least;
    return result;
}

static bool is_wide(const spmv_csr *csr, column_span found)
{
    return csr->cols > NARROW_SPAN && found.span >= NARROW_SPAN;
}

static i64 count_wide(const spmv_csr *csr, i64 tiles, i32 tile_size)
{
    i64 wide = 0;

    if (csr->cols <= NARROW_SPAN)    /* no need to look */
        return 0;
    for (i64 t = 0; t < tiles; t++)
        wide += is_wide(csr, span_of(csr->col_idx + t * tile_size, tile_size));
    return wide;
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

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const row_offsets row_ptr = row_offsets_of(csr);
    const tile_shape shape = shape_of(SIGMA ? SIGMA : choose_sigma(csr));
    const i64 tiles = csr->nnz / shape.size;
    const i64 chunks = i64_ceil_div(i64_ceil_div(csr->nnz, shape.size), CHUNK_TILES);
    const i64 described = form_described_tiles(csr->nnz, shape.size);
    i64 empty_rows = 0;
    i64 wide, wide_columns, narrow_columns;
    spmv_status status;

    if (tiles > 0xffffffff)      /* more than tile_columns counts */
        return SPMV_OVERFLOW;
    wide = count_wide(csr, tiles, shape.size);
    narrow_columns = (tiles - wide) * shape.size;
    wide_columns = csr->nnz - narrow_columns;
    for (i64 r = 0; r < csr->rows; r++)
        empty_rows += row_length(&row_ptr, r) == 0;

    layout->borrows = SPMV_BORROWS_ROW_PTR;
    layout->value_arrays = 1 << VAL;
    layout->number[NUMBER_TILES] = tiles;
    layout->number[NUMBER_SIGMA] = shape.sigma;
    layout->number[NUMBER_CHUNKS] = chunks;
    layout->number[NUMBER_DESCRIBED] = described;
    layout->number[NUMBER_WIDE] = wide;

    /* A tile that holds empty rows has at most one segment more than rows that start in it. */
    const i64 segments = empty_rows ? csr->rows - empty_rows + described : 0;

    status = set_array(layout, TILE_PTR, "tile_ptr", described + 1, sizeof(u32));
    if (!status)
        status = set_array(layout, TILE_DESC, "tile_desc", described * shape.words * OMEGA,
                           sizeof(u32));
    if (!status)
        status = set_array(layout, TILE_COLUMNS, "tile_columns", tiles + 1, sizeof(u64));
    if (!status)
        status = set_array(layout, COL_IDX, "col_idx", wide_columns, sizeof(i32));
    if (!status)
        status = set_array(layout, COL_OFFSET, "col_offset", narrow_columns, sizeof(u16));
    if (!status)
        status = set_array(layout, VAL, "val", csr->nnz, value_bytes(csr));
    if (!status)
        status = set_array(layout, EMPTY_PTR, "empty_ptr", empty_rows ? described + 1 : 0,
                           sizeof(i64));
    if (!status)
        status = set_array(layout, EMPTY_OFFSET, "empty_offset", segments, sizeof(i32));
    if (!status)
        status = form_arrays(layout);

    /* The arrays once, columns in 32 bits, since what narrow ones save has not shown in time
     * everywhere; x and y once, and what takes a row's sum to its place. */
    layout->cost = (f64)csr->nnz * entry_bytes(csr) +
                   (f64)(described * shape.words * OMEGA) * sizeof(u32) +
                   (f64)csr->rows * (value_bytes(csr) + 48) + (f64)csr->cols * value_bytes(csr);
    layout->build_cost = (f64)csr->nnz * 190;
    return status;
}
