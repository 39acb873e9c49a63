/* Speculative segmented sum: host code of the kernels: the list of dirty tiles, if it is kept, and
 * the second stage, if repair is host or records.
 *
 * Transfers of that stage between device and host, if they do not share memory:
 *
 *   repair host      the synchronizer, the dirty counter and the speculator (two values and three
 *                    words for each bunch, two words for each tile), the records, and y. A y in
 *                    host memory is transferred in any case, is repaired there, and does not go
 *                    back. The records of dirty tiles lie between unused places of clean tiles,
 *                    which are transferred too, at most a value for each row. With
 *                    keep_dirty_tiles there are only records of dirty tiles, and no counter and no
 *                    speculator.
 *   repair records   the synchronizer's values and the records of dirty tiles; back, a value for
 *                    each finished row, which a kernel stores to y.
 *   repair device    nothing.
 *
 * If repair is device, a bunch repairs its dirty tiles itself, and there are no records. The layout
 * also holds
 *
 *   tile_row         i32[]: the first row of each tile, for which the paper's kernel searches; then
 *                    rows, up to the last tile of the last work-group and once more
 */
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/host_scale.h"
#include "build.h"
#include "host_repair.h"
#include "layout.h"
#include "layout_stats.h"

enum { TILE_ROW = ARRAY_COUNT, DEVICE_ARRAY_COUNT };     /* spmv_layout.array */

enum {                           /* spmv_layout.part */
    PART_SUM,
    PART_OPEN_ROW,
    PART_DIRTY,
    PART_SPECULATOR,
    PART_RECORD,
    PART_PATCH                   /* if repair is records: the sums of the rows of patch_row */
};

static const c8 *const number_names[NUMBER_COUNT] = { "dirty_tiles", "records", "is_kept",
                                                       "patches" };

/* Kernels name all parts of the workspace and all arrays of the list, so a list that is not kept
 * has empty arrays. */
static spmv_status spec_workspace(spmv_layout *layout, const spec_matrix *a, i64 records)
{
    const i32 host = REPAIR == BY_DEVICE ? 0 : SPMV_HOST_READS;
    const bool is_detected = REPAIR != BY_DEVICE && !a->is_kept;
    const i64 detected_bunches = is_detected ? a->bunches : 0;
    const i64 detected_tiles = is_detected ? a->tiles : 0;
    const u32 value = value_bytes(&layout->csr);
    spmv_status status = SPMV_OK;

    if (!a->is_kept) {
        layout->array_count = RECORD_PTR + 1;
        status = set_array(layout, DIRTY_TILE, "dirty_tile", 0, sizeof(i64));
        if (!status)
            status = set_array(layout, DIRTY_ROWS, "dirty_rows", 0, sizeof(i32));
        if (!status)
            status = set_array(layout, RECORD_PTR, "record_ptr", 0, sizeof(i64));
    }
    layout->host_y = REPAIR == BY_HOST ? SPMV_HOST_READS | SPMV_HOST_WRITES : 0;
    if (!status)
        status = add_part(layout, "sum", 2 * a->bunches, value, host);
    if (!status)
        status = add_part(layout, "open_row", a->bunches, sizeof(i32),
                          REPAIR == BY_HOST ? SPMV_HOST_READS : 0);
    if (!status)
        status = add_part(layout, "dirty", detected_bunches, sizeof(u64), host);
    if (!status)
        status = add_part(layout, "speculator", 2 * detected_tiles, sizeof(i32), host);
    if (!status)
        status = add_part(layout, "record", records, value, host);
    if (!status && REPAIR == BY_RECORDS)
        status = add_part(layout, "patch", layout->number[NUMBER_PATCHES], value,
                          SPMV_HOST_WRITES);
    return status;
}

/* Tiles of all work-groups, which have room for more than those of the matrix. */
static i64 group_tiles(const spmv_csr *csr)
{
    return i64_ceil_div(csr->nnz, B * BUNCH) * B * S;
}

static spmv_status device_layout_size(spmv_layout *layout)
{
    spmv_status status = layout_size(layout);

    layout->array_count = DEVICE_ARRAY_COUNT;
    layout->build_cost = (f64)layout->csr.rows * 30;
    if (!status)
        status = set_array(layout, TILE_ROW, "tile_row", group_tiles(&layout->csr) + 1,
                           sizeof(i32));
    return status;
}

/* A tile begins with the row that contains its first nonzero, and tile 0 with row 0. */
static void build_tile_rows(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    i32 *tile_row = (i32 *)job->layout->array[TILE_ROW].data;
    i64 tile = 1;

    (void)first;
    (void)last;
    tile_row[0] = 0;
    for (i32 r = 0; r < a.rows; r++) {
        for (; tile < a.tiles && tile * TILE < row_begin(&a.row_ptr, r + 1); tile++)
            tile_row[tile] = r;
    }
    for (; tile <= group_tiles(&job->layout->csr); tile++)
        tile_row[tile] = a.rows;
}

static i32 device_build_steps(const spmv_layout *layout, spmv_step *step)
{
    const i32 n = build_steps(layout, step);
    return add_step(step, n, "build_tile_rows", build_tile_rows, 1);
}

static spec_operands spec_operands_of(const spmv_job *job)
{
    const spmv_part *part = job->layout->part;
    u8 *workspace = (u8 *)job->workspace;
    spec_operands v;

    v.val = NULL;
    v.xb = NULL;
    v.y = (real *)job->y;
    v.sum = (real *)(workspace + part[PART_SUM].offset);
    v.open_row = (i32 *)(workspace + part[PART_OPEN_ROW].offset);
    v.dirty = (u64 *)(workspace + part[PART_DIRTY].offset);
    v.dirty_rows = (i32 *)(workspace + part[PART_SPECULATOR].offset);
    v.record = (real *)(workspace + part[PART_RECORD].offset);
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    v.fetched = 0;
    return v;
}

/* The kernel stores a tile's compact sums to its records for any beta. */
static const real *compact_sums(const spec_operands *v, i64 records, i32 first_row)
{
    (void)first_row;
    return v->record + records;
}

/* The second stage of bunches [first * B, last * B) and of a share of the kept list. */
HOST_STEP void run_repair(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    const spec_operands v = spec_operands_of(job);
    const i64 grid = i64_ceil_div(a.bunches, B);
    const i64 end = i64_min(last * B, a.bunches);
    const i64 dirty_end = share_begin(last, a.dirty, grid);

    for (i64 b = first * B; b < end; b++) {
        if (v.open_row[b] != ROW_NONE)
            add_open_row(&a, &v, b);
        if (!a.is_kept)
            rearrange_bunch(&a, &v, b);
    }
    for (i64 i = share_begin(first, a.dirty, grid); i < dirty_end; i++)
        rearrange_tile(&a, &v, a.dirty_tile[i], a.record_ptr[i], a.dirty_rows[2 * i],
                       a.dirty_rows[2 * i + 1]);
}

/* Finishes the rows of patch_row: of bunches [first * B, last * B), and of a share of the dirty
 * tiles. */
HOST_STEP void run_patches(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    const spec_operands v = spec_operands_of(job);
    const i32 *patch_row = (const i32 *)job->layout->array[PATCH_ROW].data;
    real *patch = (real *)((u8 *)job->workspace + job->layout->part[PART_PATCH].offset);
    const i64 grid = i64_ceil_div(a.bunches, B);
    const i64 end = i64_min(last * B, a.bunches);
    const i64 dirty_end = share_begin(last, a.dirty, grid);

    for (i64 b = first * B; b < end; b++)
        patch[b] = patch_row[b] != ROW_NONE ? open_row_sum(&a, &v, b, patch_row[b]) : 0;
    for (i64 i = share_begin(first, a.dirty, grid); i < dirty_end; i++)
        expand_compact_sums(&a, v.record + a.record_ptr[i], patch + a.patch_ptr[i],
                            a.dirty_rows[2 * i], a.dirty_rows[2 * i + 1]);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const spec_matrix a = spec_view(job->layout);
    const i64 grid = i64_ceil_div(a.bunches, B);
    i32 n = 0;

    if (job->alpha == 0 || a.nnz == 0)
        return scale_launches(job, step);
    n = add_kernel(step, n, "speculative_tiles", grid);

    /* A single bunch leaves no row open. If the list is kept, dirty tiles are known. */
    const bool is_open = a.bunches > 1;
    const bool may_be_dirty = !a.is_kept || a.dirty > 0;

    if (REPAIR == BY_RECORDS) {
        if (is_open || may_be_dirty) {
            n = add_step(step, n, "speculative_repair", run_patches, grid);
            n = add_kernel(step, n, "speculative_patch",
                           i64_ceil_div(job->layout->number[NUMBER_PATCHES], WORK_GROUP_SIZE));
        }
        return n;
    }
    if (REPAIR == BY_DEVICE) {
        if (is_open)
            n = add_kernel(step, n, "speculative_open_rows",
                           i64_ceil_div(a.bunches, OPEN_BUNCHES));
        return n;
    }
    return is_open || may_be_dirty ? add_step(step, n, "speculative_repair", run_repair, grid) : n;
}

static const spmv_method_ops method_ops = {
    .layout_size = device_layout_size,
    .build_steps = device_build_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .settings = settings,
    .setting_count = SETTING_COUNT,
    .number_count = NUMBER_COUNT,
    .number_names = number_names,
};
