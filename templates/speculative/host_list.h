/* host_list.h: the list of dirty tiles in the layout, if repair is records.
 *
 *   dirty_tile   i64[dirty]        the dirty tiles, in order
 *   dirty_rows   i32[dirty][2]     the first row of each, and of the tile after it
 *   record_ptr   i64[dirty + 1]    where the records of each begin, the sums of its segments
 *   patch_row    i32[patches]      the rows that the second stage finishes: for each bunch the row
 *                                  that continues after it, then the rows of dirty tiles in order;
 *                                  or ROW_NONE
 *   patch_ptr    i64[dirty]        where the rows of each dirty tile begin
 *
 * Kernels name the first and the third array, so these are empty if repair is not records; so is
 * tile_row if borders is kernel.
 */
#ifndef SPMV_SPECULATIVE_HOST_LIST_H
#define SPMV_SPECULATIVE_HOST_LIST_H

#include "layout.h"
#include "layout_dirty.h"

enum {                           /* spmv_layout.array */
    TILE_ROW,
    DIRTY_TILE,
    RECORD_PTR,
    DIRTY_ROWS,                  /* from here on if repair is records */
    PATCH_ROW,
    PATCH_PTR
};

enum { ARRAY_COUNT = REPAIR == BY_RECORDS ? PATCH_PTR + 1 : RECORD_PTR + 1 };

enum {                           /* spmv_layout.number */
    NUMBER_DIRTY,                /* dirty tiles, if there is a list */
    NUMBER_PATCHES,              /* rows of patch_row */
    NUMBER_COUNT
};

static const c8 *const number_names[NUMBER_COUNT] = { "dirty_tiles", "patches" };

/* Sets the sizes of the list's arrays. *records: the segments of the dirty tiles. */
static spmv_status list_size(spmv_layout *layout, i64 *records)
{
    dirty_counts found = { 0, 0, 0 };
    spmv_status status = SPMV_OK;

    if (REPAIR == BY_RECORDS) {
        const spec_matrix a = spec_view(layout);
        found = find_dirty_tiles(&a, NULL, NULL, NULL);
        layout->number[NUMBER_DIRTY] = found.tiles;
        layout->number[NUMBER_PATCHES] = a.bunches + found.rows;
        status = set_array(layout, DIRTY_ROWS, "dirty_rows", 2 * found.tiles, sizeof(i32));
        if (!status)
            status = set_array(layout, PATCH_ROW, "patch_row", a.bunches + found.rows, sizeof(i32));
        if (!status)
            status = set_array(layout, PATCH_PTR, "patch_ptr", found.tiles, sizeof(i64));
    }
    if (!status)
        status = set_array(layout, DIRTY_TILE, "dirty_tile", found.tiles, sizeof(i64));
    if (!status)
        status = set_array(layout, RECORD_PTR, "record_ptr", found.tiles ? found.tiles + 1 : 0,
                           sizeof(i64));
    *records = found.segments;
    return status;
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
    const spmv_array *array = job->layout->array;
    const i64 *dirty_tile = (const i64 *)array[DIRTY_TILE].data;
    const i32 *dirty_rows = (const i32 *)array[DIRTY_ROWS].data;
    i32 *patch_row = (i32 *)array[PATCH_ROW].data;
    i64 *patch_ptr = (i64 *)array[PATCH_PTR].data;
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
    for (i64 i = 0; i < job->layout->number[NUMBER_DIRTY]; i++) {
        const i64 bunch_begin = dirty_tile[i] / S * BUNCH;

        patch_ptr[i] = patch;
        for (i32 r = dirty_rows[2 * i]; r < dirty_rows[2 * i + 1]; r++) {
            const bool is_foreign = row_begin(&a.row_ptr, r) < bunch_begin &&
                                    row_length(&a.row_ptr, r) != 0;
            patch_row[patch++] = is_foreign ? ROW_NONE : r;
        }
    }
}

/* Expands the records of a dirty tile to the sums of its rows [row, next_row). The sum of a row
 * that began before the bunch is undefined and not used. */
DEVICE void expand_records(const spec_matrix *a, const real *record, real *patch, i32 row,
                           i32 next_row)
{
    const row_offsets row_ptr = a->row_ptr;
    i32 segment = 0;

    for (i32 r = row; r < next_row; r++) {
        const bool is_empty = row_length(&row_ptr, r) == 0;

        patch[r - row] = is_empty ? 0 : record[segment];
        segment += !is_empty;
    }
}

#endif
