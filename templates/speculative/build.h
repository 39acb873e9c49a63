/* build.h: the list of dirty tiles, and the sizes of the layout and of the workspace. */
#ifndef SPMV_SPECULATIVE_BUILD_H
#define SPMV_SPECULATIVE_BUILD_H

#include "../common/build_borrowed.h"
#include "layout.h"
#include "layout_descriptor.h"

/* Sets the workspace of one multiplication, with room for `records` records. CPUs and devices
 * define it differently. */
static spmv_status spec_workspace(spmv_layout *layout, const spec_matrix *a, i64 records);

/* ---- the list of dirty tiles --------------------------------------------------------------- */

/* Sizes of the list, found by describing every tile. */
typedef struct dirty_counts {
    i64 tiles, records, rows;
} dirty_counts;

/* Counts dirty tiles and their segments, and fills the arrays if they are given. */
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

/* Lists the rows that the second stage finishes: of bunches, then of dirty tiles. */
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

/* ---- sizes --------------------------------------------------------------------------------- */

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    spmv_status status = borrowed_layout_size(layout);
    spec_matrix a = spec_view(layout);
    i64 records = REPAIR == BY_DEVICE ? 0 : i64_min(a.rows, a.tiles * TILE);

    /* Bytes of values, columns, row pointers, x and y, each once; a quarter more for products and
     * sums, which go through the first-level cache; and finding the sum of each row. */
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

#endif
