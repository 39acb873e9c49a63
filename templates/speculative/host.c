/* Speculative segmented sum: host code of the kernels: the first rows of tiles if borders is plan,
 * the list of dirty tiles if repair is records, and the second stage if repair is host or records.
 *
 * Transfers of that stage between device and host, if they do not share memory:
 *
 *   repair host      the synchronizer, a word for each bunch that marks its dirty tiles, the dirty
 *                    counter, and y. A y in host memory is transferred in any case, is repaired
 *                    there, and does not go back
 *   repair records   the synchronizer's values and the records of dirty tiles; back, a value for
 *                    each finished row, which a kernel stores to y
 *   repair device    nothing: a bunch repairs its dirty tiles itself
 *
 * If borders is plan, the layout also holds
 *
 *   tile_row         i32[]: the first row of each tile; then rows, up to the last tile of the last
 *                    work-group and once more. It is the paper's speculator, too: the CPU knows the
 *                    rows of a dirty tile
 */
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/host_scale.h"
#include "host_list.h"
#include "host_repair.h"
#include "layout.h"
#include "layout_stats.h"

/* Whether the first stage counts the dirty tiles in one counter. */
enum { COUNTS_DIRTY_TILES = REPAIR == BY_HOST && DIRTY_COUNTER };

/* Whether the first stage hands the rows of tiles to the second. */
enum { SPECULATES = REPAIR == BY_HOST && BORDERS == BY_KERNEL };

enum {                           /* spmv_layout.part */
    PART_SUM,
    PART_OPEN_ROW,
    PART_DIRTY,
    PART_DIRTY_COUNTER,
    PART_SPECULATOR,
    PART_RECORD,
    PART_PATCH                   /* if repair is records: the sums of the rows of patch_row */
};

/* Kernels name all parts of the workspace, so parts that are not needed are empty. */
static spmv_status workspace_size(spmv_layout *layout, const spec_matrix *a, i64 records)
{
    const i32 host = REPAIR == BY_DEVICE ? 0 : SPMV_HOST_READS;
    const u32 value = value_bytes(&layout->csr);
    spmv_status status;

    layout->host_y = REPAIR == BY_HOST ? SPMV_HOST_READS | SPMV_HOST_WRITES : 0;
    status = add_part(layout, "sum", 2 * a->bunches, value, host);
    if (!status)
        status = add_part(layout, "open_row", a->bunches, sizeof(i32),
                          REPAIR == BY_HOST ? SPMV_HOST_READS : 0);
    if (!status)
        status = add_part(layout, "dirty", REPAIR == BY_HOST ? a->bunches : 0, sizeof(u64), host);
    if (!status)
        status = add_part(layout, "dirty_counter", COUNTS_DIRTY_TILES, sizeof(i32), host);
    if (!status)
        status = add_part(layout, "speculator", SPECULATES ? a->tiles : 0, sizeof(i32), host);
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

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const spec_matrix a = spec_view(layout);
    spmv_status status = borrowed_layout_size(layout);
    i64 records = 0;

    /* Bytes of values, columns, row pointers, x and y, each once; a quarter more for products and
     * sums, which go through the first-level cache; and finding the sum of each row. */
    layout->cost = (f64)csr->nnz * entry_bytes(csr) * 1.25 +
                   (f64)csr->rows * (offset_bytes(csr) + value_bytes(csr) + 48) +
                   (f64)csr->cols * value_bytes(csr);
    layout->build_cost = BORDERS == BY_PLAN ? (f64)csr->rows * 30 : 0;
    layout->array_count = ARRAY_COUNT;
    if (!status)
        status = set_array(layout, TILE_ROW, "tile_row",
                           BORDERS == BY_PLAN ? group_tiles(csr) + 1 : 0, sizeof(i32));
    if (!status)
        status = list_size(layout, &records);
    if (!status)
        status = workspace_size(layout, &a, records);
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

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    i32 n = 0;

    if (layout->number[NUMBER_DIRTY])
        n = add_step(step, n, "build_dirty_tiles", build_dirty_tiles, 1);
    if (REPAIR == BY_RECORDS && layout->number[NUMBER_PATCHES])
        n = add_step(step, n, "build_patches", build_patches, 1);
    if (BORDERS == BY_PLAN)
        n = add_step(step, n, "build_tile_rows", build_tile_rows, 1);
    return n;
}

static const u8 *part_of(const spmv_job *job, i32 part)
{
    return (const u8 *)job->workspace + job->layout->part[part].offset;
}

static repair_operands repair_operands_of(const spmv_job *job)
{
    repair_operands v;

    v.y = (real *)job->y;
    v.sum = (const real *)part_of(job, PART_SUM);
    v.open_row = (const i32 *)part_of(job, PART_OPEN_ROW);
    v.dirty = (const u64 *)part_of(job, PART_DIRTY);
    v.tile_row = SPECULATES ? (const i32 *)part_of(job, PART_SPECULATOR)
                            : (const i32 *)job->layout->array[TILE_ROW].data;
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    return v;
}

/* The second stage of bunches [first * B, last * B). */
HOST_STEP void run_repair(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    const repair_operands v = repair_operands_of(job);
    const i64 end = i64_min(last * B, a.bunches);

    for (i64 b = first * B; b < end; b++)
        add_open_row(&a, &v, b);
    if (COUNTS_DIRTY_TILES && *(const i32 *)part_of(job, PART_DIRTY_COUNTER) == 0)
        return;
    for (i64 b = first * B; b < end; b++)
        rearrange_bunch(&a, &v, b);
}

/* Finishes the rows of patch_row: of bunches [first * B, last * B), and of a share of the dirty
 * tiles. */
HOST_STEP void run_patches(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    const spmv_array *array = job->layout->array;
    const i32 *patch_row = (const i32 *)array[PATCH_ROW].data;
    const i64 *patch_ptr = (const i64 *)array[PATCH_PTR].data;
    const i32 *dirty_rows = (const i32 *)array[DIRTY_ROWS].data;
    const i64 *record_ptr = (const i64 *)array[RECORD_PTR].data;
    const real *sum = (const real *)part_of(job, PART_SUM);
    const real *record = (const real *)part_of(job, PART_RECORD);
    real *patch = (real *)((u8 *)job->workspace + job->layout->part[PART_PATCH].offset);
    const i64 grid = i64_ceil_div(a.bunches, B);
    const i64 end = i64_min(last * B, a.bunches);
    const i64 dirty = job->layout->number[NUMBER_DIRTY];
    const i64 dirty_end = share_begin(last, dirty, grid);

    for (i64 b = first * B; b < end; b++)
        patch[b] = patch_row[b] != ROW_NONE ? open_row_sum(&a, sum, b, patch_row[b]) : 0;
    for (i64 i = share_begin(first, dirty, grid); i < dirty_end; i++)
        expand_records(&a, record + record_ptr[i], patch + patch_ptr[i], dirty_rows[2 * i],
                       dirty_rows[2 * i + 1]);
}

/* A single bunch leaves no row open. */
static i32 launches(const spmv_job *job, spmv_step *step)
{
    const spec_matrix a = spec_view(job->layout);
    const spmv_layout *layout = job->layout;
    const i64 grid = i64_ceil_div(a.bunches, B);
    i32 n = 0;

    if (job->alpha == 0 || a.nnz == 0)
        return scale_launches(job, step);
    if (COUNTS_DIRTY_TILES)
        n = add_kernel(step, n, "speculative_clear", 1);
    n = add_kernel(step, n, "speculative_tiles", grid);

    if (REPAIR == BY_RECORDS && (a.bunches > 1 || layout->number[NUMBER_DIRTY] > 0)) {
        n = add_step(step, n, "speculative_repair", run_patches, grid);
        n = add_kernel(step, n, "speculative_patch",
                       i64_ceil_div(layout->number[NUMBER_PATCHES], WORK_GROUP_SIZE));
    }
    if (REPAIR == BY_DEVICE && a.bunches > 1)
        n = add_kernel(step, n, "speculative_open_rows", i64_ceil_div(a.bunches, OPEN_BUNCHES));

    /* With another beta there are no dirty tiles to move. */
    if (REPAIR == BY_HOST && (a.bunches > 1 || job->beta == 0))
        n = add_step(step, n, "speculative_repair", run_repair, grid);
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = build_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .number_count = NUMBER_COUNT,
    .number_names = number_names,
};
