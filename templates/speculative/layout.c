/* layout.c: what the speculative segmented sum reads, and where its two stages meet.
 *
 * Nothing is converted: row_ptr, col_idx and val are the caller's own, borrowed. The nonzeros, in
 * CSR order, are cut into tiles of T * W, and S tiles make a bunch. A row belongs to the tile in
 * which it ends, so each tile owns the rows from its first row to that of the next tile, and every
 * row has one owner. With T * W = 4, a tile of a matrix whose row 2 is empty:
 *
 *     nonzeros       | 0  1  2  3 | 4  5  6  7 | 8 ...      row_ptr   0 3 5 5 7 9
 *     their rows     | 0  0  0  1 | 1  3  3  4 | 4
 *     rows that end  | 0          | 1  2  3    | 4          2 ends where it begins: at nonzero 5
 *     first row      | 0          | 1          | 4
 *
 * An empty row at the border of two tiles ends with the tile before it; empty rows in front of the
 * first nonzero belong to tile 0, so that tile 0 begins with row 0 whatever row holds nonzero 0.
 * A tile that owns an empty row is dirty: the compact sums of its segments (rows 1, 3 above) do not
 * fall on consecutive rows. Which tiles are dirty depends on row_ptr alone.
 *
 * The workspace of a multiplication, all of it written by the first stage and read by the second:
 *
 *   sum          real[bunches][2]  the synchronizer: of the row that began before the bunch, what
 *                                  lies in the bunch; of the row that begins in the bunch and does
 *                                  not end there, likewise
 *   open_row     i32[bunches]      that second row, or ROW_NONE
 *   dirty        u64[bunches]      the dirty counter: bit s is set if tile s of the bunch is dirty
 *   dirty_rows   i32[tiles][2]     the speculator: of a dirty tile its first row, and the next
 *                                  tile's; of other tiles nothing is written
 *   record       real[]            a dirty tile's compact sums, where they may not go to y
 *
 * A tile has at most as many segments that end as it owns rows, and as it has nonzeros: its records
 * begin at its first row or at its first nonzero, whichever needs less room in all. So no address
 * depends on the order in which tiles are done, and nothing counts atomically.
 *
 * The setting keep_dirty_tiles makes the build find the dirty tiles once. The layout then holds
 *
 *   dirty_tile   i64[dirty]        the dirty tiles, in order
 *   dirty_rows   i32[dirty][2]     as above
 *   record_ptr   i64[dirty + 1]    where the records of each begin
 *
 * and the workspace no more than the synchronizer and as many records as there are segments.
 *
 * On work-items dirty_rows of the workspace is called speculator, and each of these is a part of
 * its own. Where repair is records, the list is always kept, and the layout also holds
 *
 *   patch_row    i32[patches]      the rows that the second stage finishes: of each bunch the one
 *                                  that goes on, and those of the dirty tiles, in order; or
 *                                  ROW_NONE
 *   patch_ptr    i64[dirty]        where the rows of each dirty tile begin
 */

enum {                           /* spmv_layout.array, if dirty tiles are kept */
    DIRTY_TILE,
    DIRTY_ROWS,
    RECORD_PTR,
    PATCH_ROW,                   /* these two where repair is records */
    PATCH_PTR
};

#include "bunch.c"

enum { ARRAY_COUNT = REPAIR == BY_RECORDS ? 5 : 3 };

enum {                           /* spmv_layout.number */
    NUMBER_DIRTY,                /* dirty tiles, if they are kept */
    NUMBER_RECORDS,              /* places for records */
    NUMBER_IS_KEPT,              /* 1: they are kept */
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
    const i64 *dirty_tile;       /* these three are NULL where no list is kept, or it is empty */
    const i32 *dirty_rows;
    const i64 *record_ptr;
    const i64 *patch_ptr;        /* NULL but where repair is records */
    i64 nnz, tiles, bunches;
    i64 dirty;
    i32 rows;
    i32 value_bytes;
    bool is_kept;
} spec_matrix;

/* States the workspace of one multiplication, with places for so many records. Each form of the
 * method has its own. */
static spmv_status spec_workspace(spmv_layout *layout, const spec_matrix *a, i64 records);

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
    a.is_kept = layout->setting[KEEP_DIRTY_TILES] != 0;
    return a;
}

/* ---- descriptors --------------------------------------------------------------------------- */

/* A tile's segment descriptor. Nonzero k of the tile is that of lane k / W at step k % W. */
typedef struct tile_descriptor {
    u32 end_flag[T];             /* a word a lane; bit s is set if a row ends with step s */
    i32 end_at[TILE];            /* of each segment that ends, in order: step * T + lane */
    i32 segments;                /* that end in the tile */
    i32 next_row;                /* the first row of the next tile */
} tile_descriptor;

/* Describes a tile whose first row is `row`. The paper's bunch finds the rows at its S + 1 borders
 * by binary search, since its lanes describe their parts of a tile at the same time; one thread
 * meets the rows in order and is at the next border when the tile is described. */
DEVICE void describe_tile(const spec_matrix *a, i64 tile, i32 row, tile_descriptor *d)
{
    const row_offsets row_ptr = a->row_ptr;
    const i32 rows = a->rows;
    const i64 begin = tile * TILE;
    const i64 size = i64_min(TILE, a->nnz - begin);
    i64 last_end = 0;
    i32 segments = 0;

    for (i32 lane = 0; lane < T; lane++)
        d->end_flag[lane] = 0;

    /* Empty rows in front of the first nonzero of the matrix end in front of the tile. */
    while (row < rows && row_begin(&row_ptr, row + 1) == begin)
        row++;

    /* An empty row ends where the one before it did: it writes what is there already. */
    for (; row < rows; row++) {
        const i64 end = row_begin(&row_ptr, row + 1) - begin;
        if (end > size)
            break;

        const u32 k = (u32)end - 1;
        segments += end != last_end;
        d->end_flag[k / W] |= 1u << k % W;
        d->end_at[segments - 1] = (i32)(k % W * T + k / W);
        last_end = end;
    }
    d->segments = segments;
    d->next_row = row;
}

/* ---- the list of dirty tiles --------------------------------------------------------------- */

/* What the list needs, found by describing every tile. */
typedef struct dirty_counts {
    i64 tiles, records, rows;
} dirty_counts;

/* Counts dirty tiles and their segments; where there are arrays, fills them. */
static dirty_counts find_dirty_tiles(const spec_matrix *a, i64 *dirty_tile, i32 *dirty_rows,
                                     i64 *record_ptr)
{
    dirty_counts found = { 0, 0, 0 };
    tile_descriptor d;
    i32 row = 0;

    for (i64 t = 0; t < a->tiles; t++) {
        describe_tile(a, t, row, &d);
        if (d.segments < d.next_row - row) {
            if (dirty_tile) {
                dirty_tile[found.tiles] = t;
                dirty_rows[2 * found.tiles] = row;
                dirty_rows[2 * found.tiles + 1] = d.next_row;
                record_ptr[found.tiles] = found.records;
            }
            found.tiles++;
            found.records += d.segments;
            found.rows += d.next_row - row;
        }
        row = d.next_row;
    }
    if (record_ptr)
        record_ptr[found.tiles] = found.records;
    return found;
}

static void build_dirty_tiles(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    const spmv_array *array = job->layout->array;

    (void)first;
    (void)last;
    find_dirty_tiles(&a, (i64 *)array[DIRTY_TILE].data, (i32 *)array[DIRTY_ROWS].data,
                     (i64 *)array[RECORD_PTR].data);
}

/* The rows that the second stage finishes: of bunches, then of dirty tiles. */
static void build_patches(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    i32 *patch_row = (i32 *)job->layout->array[PATCH_ROW].data;
    i64 *patch_ptr = (i64 *)job->layout->array[PATCH_PTR].data;
    i64 patch = a.bunches;

    (void)first;
    (void)last;
    for (i64 b = 0; b < a.bunches; b++)
        patch_row[b] = ROW_NONE;
    for (i32 r = 0; r < a.rows; r++) {
        const i64 begin = row_begin(&a.row_ptr, r);
        const i64 end = row_begin(&a.row_ptr, r + 1);

        if (begin / BUNCH != (end - 1) / BUNCH && begin < end)
            patch_row[begin / BUNCH] = r;
    }
    for (i64 i = 0; i < a.dirty; i++) {
        const i64 bunch_begin = a.dirty_tile[i] / S * BUNCH;

        patch_ptr[i] = patch;
        for (i32 r = a.dirty_rows[2 * i]; r < a.dirty_rows[2 * i + 1]; r++) {
            const bool is_foreign = row_begin(&a.row_ptr, r) < bunch_begin &&
                                    row_length(&a.row_ptr, r) != 0;
            patch_row[patch++] = is_foreign ? ROW_NONE : r;
        }
    }
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    i32 n = 0;

    if (layout->number[NUMBER_DIRTY])
        n = add_step(step, n, "build_dirty_tiles", build_dirty_tiles, 1);
    if (REPAIR == BY_RECORDS && layout->number[NUMBER_PATCHES])
        n = add_step(step, n, "build_patches", build_patches, 1);
    return n;
}

#include "../common/build_borrowed.h"

/* ---- sizes --------------------------------------------------------------------------------- */

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    spmv_status status = borrowed_layout_size(layout);
    spec_matrix a = spec_view(layout);
    i64 records = i64_min(a.rows, a.tiles * TILE);

    /* Values, columns and row pointers once, x and y once; a tile's products and sums go through
     * the first-level cache, and the place of each row's sum. */
    layout->cost = (f64)a.nnz * entry_bytes(csr) * 1.25 +
                   (f64)a.rows * (offset_bytes(csr) + value_bytes(csr) + 48) +
                   (f64)csr->cols * value_bytes(csr);

    if (a.is_kept) {
        const dirty_counts found = find_dirty_tiles(&a, NULL, NULL, NULL);
        layout->array_count = ARRAY_COUNT;
        layout->number[NUMBER_DIRTY] = found.tiles;
        records = found.records;
        status = set_array(layout, DIRTY_TILE, "dirty_tile", found.tiles, sizeof(i64));
        if (!status)
            status = set_array(layout, DIRTY_ROWS, "dirty_rows", 2 * found.tiles, sizeof(i32));
        if (!status)
            status = set_array(layout, RECORD_PTR, "record_ptr", found.tiles ? found.tiles + 1 : 0,
                               sizeof(i64));
        if (REPAIR == BY_RECORDS) {
            layout->number[NUMBER_PATCHES] = a.bunches + found.rows;
            if (!status)
                status = set_array(layout, PATCH_ROW, "patch_row", a.bunches + found.rows,
                                   sizeof(i32));
            if (!status)
                status = set_array(layout, PATCH_PTR, "patch_ptr", found.tiles, sizeof(i64));
        }
    }
    layout->number[NUMBER_RECORDS] = records;
    layout->number[NUMBER_IS_KEPT] = a.is_kept;
    if (!status)
        status = spec_workspace(layout, &a, records);
    return status;
}

static i32 figures(const spmv_layout *layout, spmv_figure *figure)
{
    const spec_matrix a = spec_view(layout);
    const dirty_counts found = find_dirty_tiles(&a, NULL, NULL, NULL);
    i32 n = 0;

    n = add_figure(figure, n, "tiles", "tiles", (f64)a.tiles);
    n = add_figure(figure, n, "dirty tiles", "tiles", (f64)found.tiles);
    n = add_figure(figure, n, "records", "bytes", (f64)found.records * value_bytes(&layout->csr));
    n = add_figure(figure, n, "synchronizer", "entries", (f64)a.bunches);
    return n;
}
