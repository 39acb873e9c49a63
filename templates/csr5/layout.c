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
 *   col_idx      i32[nnz], transposed in the tiles, in the caller's base
 *   val          real[nnz], transposed likewise
 *
 * A segment is the run of nonzeros from one flag to the next. Segment j of a tile belongs to row
 * tile_ptr + j; in a tile with the top bit set it belongs to row tile_ptr + empty_offset[j]:
 *
 *   empty_ptr    i64[tiles + 1]: where the tile's entries of empty_offset begin
 *   empty_offset i32: one entry a segment, for tiles with the top bit only; room for a segment a
 *                row that has nonzeros and one a tile, since how many tiles need it is known only
 *                after the tiles have been described
 *
 * Gaps of the paper closed here: rows without nonzeros are never written by its kernels; ours lists
 * runs of them, and every chunk of tiles writes its share of the list:
 *
 *   empty_run    i32[runs][2]: first row, number of rows (at most EMPTY_RUN_ROWS)
 *
 * It leaves open what happens when the fields need more than 32 bits (several words here), and it
 * transposes the caller's arrays in place (ours are copies, so the caller's CSR is never changed).
 */

enum {                           /* spmv_layout.array */
    TILE_PTR,
    TILE_DESC,
    COL_IDX,
    VAL,
    EMPTY_PTR,
    EMPTY_OFFSET,
    EMPTY_RUN,
    ARRAY_COUNT
};

enum {                           /* spmv_layout.number */
    NUMBER_TILES,                /* complete tiles */
    NUMBER_SIGMA,
    NUMBER_CHUNKS,               /* of CHUNK_TILES tiles, the tail counting as one */
    NUMBER_RUNS,                 /* runs of empty rows */
    NUMBER_GRID                  /* chunks of a launch: each does its share of chunks and of runs */
};

enum {
    EMPTY_RUN_ROWS = 4096,       /* rows a run at most: a share of runs is a share of work */
    EMPTY_GRID_ROWS = 65536      /* empty rows a chunk of the launch */
};

/* The descriptor's fields for one sigma. */
typedef struct tile_shape {
    i32 sigma;
    i32 size;                    /* nonzeros of a tile: omega * sigma */
    i32 y_bits, seg_bits;
    i32 words;
} tile_shape;

/* The layout as kernels read it. */
typedef struct csr5_matrix {
    const offset *row_ptr;
    const u32 *tile_ptr;
    const u32 *tile_desc;
    const i32 *col_idx;
    const real *val;
    const i64 *empty_ptr;        /* NULL where no row is empty */
    const i32 *empty_offset;
    const i32 *empty_run;
    i64 nnz, tiles, chunks, runs, grid;
    i32 rows, base;
    tile_shape shape;
} csr5_matrix;

/* ---- fields -------------------------------------------------------------------------------- */

DEVICE i32 tile_row(u32 word)
{
    return (i32)(word & 0x7fffffffu);
}

DEVICE bool tile_has_empty_rows(u32 word)
{
    return (word >> 31) != 0;
}

/* ceil(log2(count)), count > 0 */
DEVICE i32 bits_for(i32 count)
{
    i32 bits = 0;
    while ((1 << bits) < count)
        bits++;
    return bits;
}

DEVICE tile_shape shape_of(i32 sigma)
{
    tile_shape shape;
    shape.sigma = sigma;
    shape.size = OMEGA * sigma;
    shape.y_bits = bits_for(OMEGA * sigma + 1);
    shape.seg_bits = bits_for(OMEGA);
    shape.words = (shape.y_bits + shape.seg_bits + sigma + 31) / 32;
    return shape;
}

DEVICE i32 lane_y_offset(const tile_shape *shape, u32 word)
{
    return (i32)(word >> (32 - shape->y_bits));
}

DEVICE i32 lane_seg_offset(const tile_shape *shape, u32 word)
{
    return shape->seg_bits ? (i32)(word << shape->y_bits >> (32 - shape->seg_bits)) : 0;
}

/* Does a row start exactly at nonzero k, which lies in `row`? */
DEVICE bool row_starts_at(const csr5_matrix *a, i32 row, i64 k)
{
    return (i64)a->row_ptr[row] - a->base == k;
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

static csr5_matrix csr5_view(const spmv_layout *layout)
{
    csr5_matrix a;
    a.row_ptr = csr_row_ptr(layout);
    a.tile_ptr = (const u32 *)layout->array[TILE_PTR].data;
    a.tile_desc = (const u32 *)layout->array[TILE_DESC].data;
    a.col_idx = (const i32 *)layout->array[COL_IDX].data;
    a.val = (const real *)layout->array[VAL].data;
    a.empty_ptr = (const i64 *)layout->array[EMPTY_PTR].data;
    a.empty_offset = (const i32 *)layout->array[EMPTY_OFFSET].data;
    a.empty_run = (const i32 *)layout->array[EMPTY_RUN].data;
    a.nnz = layout->csr.nnz;
    a.tiles = layout->number[NUMBER_TILES];
    a.chunks = layout->number[NUMBER_CHUNKS];
    a.runs = layout->number[NUMBER_RUNS];
    a.grid = layout->number[NUMBER_GRID];
    a.rows = (i32)layout->csr.rows;
    a.base = layout->csr.base;
    a.shape = shape_of(SIGMA ? SIGMA : (i32)layout->number[NUMBER_SIGMA]);
    return a;
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const offset *row_ptr = csr_row_ptr(layout);
    const tile_shape shape = shape_of(SIGMA ? SIGMA : choose_sigma(csr));
    const i64 tiles = csr->nnz / shape.size;
    const i64 chunks = i64_ceil_div(i64_ceil_div(csr->nnz, shape.size), CHUNK_TILES);
    i64 empty_rows = 0;
    i64 runs = 0;
    i64 run_rows = 0;
    spmv_status status;

    for (i64 r = 0; r < csr->rows; r++) {
        if (row_ptr[r] != row_ptr[r + 1]) {
            run_rows = 0;
            continue;
        }
        empty_rows++;
        if (run_rows == 0)
            runs++;
        run_rows = run_rows + 1 == EMPTY_RUN_ROWS ? 0 : run_rows + 1;
    }

    layout->array_count = ARRAY_COUNT;
    layout->borrows = SPMV_BORROWS_ROW_PTR;
    layout->number[NUMBER_TILES] = tiles;
    layout->number[NUMBER_SIGMA] = shape.sigma;
    layout->number[NUMBER_CHUNKS] = chunks;
    layout->number[NUMBER_RUNS] = runs;
    layout->number[NUMBER_GRID] = i64_max(chunks, i64_ceil_div(empty_rows, EMPTY_GRID_ROWS));

    /* A tile that holds empty rows has at most one segment more than rows that start in it. */
    const i64 segments = empty_rows ? csr->rows - empty_rows + tiles : 0;

    status = set_array(layout, TILE_PTR, "tile_ptr", tiles + 1, sizeof(u32));
    if (!status)
        status = set_array(layout, TILE_DESC, "tile_desc", tiles * shape.words * OMEGA,
                           sizeof(u32));
    if (!status)
        status = set_array(layout, COL_IDX, "col_idx", csr->nnz, sizeof(i32));
    if (!status)
        status = set_array(layout, VAL, "val", csr->nnz, sizeof(real));
    if (!status)
        status = set_array(layout, EMPTY_PTR, "empty_ptr", empty_rows ? tiles + 1 : 0, sizeof(i64));
    if (!status)
        status = set_array(layout, EMPTY_OFFSET, "empty_offset", segments, sizeof(i32));
    if (!status)
        status = set_array(layout, EMPTY_RUN, "empty_run", 2 * runs, sizeof(i32));

    /* Two partial sums a chunk: of the row that it continues, of the row that it leaves open. */
    if (!status)
        status = set_workspace(layout, 2 * chunks, sizeof(real));

    /* The arrays once, x and y once, and a mispredicted branch or two a row that ends in a tile. */
    layout->cost = (f64)csr->nnz * (sizeof(real) + sizeof(i32)) +
                   (f64)(tiles * shape.words * OMEGA) * sizeof(u32) +
                   (f64)csr->rows * (sizeof(real) + 48) + (f64)csr->cols * sizeof(real);
    return status;
}
