/* Speculative segmented sum (Liu & Vinter, Parallel Computing 2015) on SIMD units.
 *
 * The comment on the layout defines the rows of a tile, and draws the workspace. The two stages:
 *
 *   speculative_tiles    a bunch processes its S tiles from left to right. A tile is described and
 *                        its segments are summed; the part of a row that continues is passed to the
 *                        next tile. The sums of the rows that end in the tile are compact, one for
 *                        each segment, and are stored to y from the tile's first row on: the
 *                        prediction is that none of the tile's rows is empty.
 *   speculative_repair   adds the parts of rows that span bunches, which the synchronizer holds, in
 *                        the order of bunches, and corrects the rows of dirty tiles.
 *
 * B bunches, a work-group, are one index of the grid of both stages. Both run on the CPU here,
 * whatever `repair` says.
 *
 * Gaps of the paper closed here:
 *
 *   - empty rows: its kernel adds to a y that the caller has set to zero. Here every row has an
 *     owner, and the second stage stores the empty rows of dirty tiles. Without nonzeros there is
 *     no tile, and y becomes beta*y;
 *   - alpha and beta: if beta is 0, a dirty tile's compact sums go to y, as in the paper, to rows
 *     that the tile owns. With another beta they are kept as records, since a compact sum would
 *     overwrite the old value of a row that is still needed;
 *   - the paper fills the dirty counter and the speculator through an atomic counter, in the order
 *     of arrival. Here each bunch and tile has a fixed place in them;
 *   - the last tile may be incomplete: its missing products are zeros that belong to no row;
 *   - only the first bunch of a range finds its first row by binary search. From there on the
 *     description of each tile ends at the next border (describe_tile);
 *   - the flags of the paper's descriptor mark where a row begins, here where one ends: the same
 *     border, one entry earlier.
 */
#include "../prelude/simd.h"
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/cost_cycles.h"
#include "../common/cost_row_endings.h"
#include "../common/cost_traffic.h"
#include "../common/layout_row_search.h"
#include "../common/simd_fetch_x.h"
#include "../common/simd_scale.h"
#include "build.h"
#include "host_repair.h"
#include "layout.h"
#include "layout_descriptor.h"
#include "layout_stats.h"
#include "simd_tile.h"
#include "simd_workspace.h"

static spmv_status cpu_layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const spmv_status status = layout_size(layout);
    const row_endings ends = row_endings_of(layout, csr->cols + 1, 1);

    /* Each multiplication describes all tiles again and repairs those with empty rows. */
    layout->cost = csr_traffic(csr) +
                   step_cost(1600.0 + 2.5 * (f64)csr->nnz + 20.0 * (f64)csr->rows +
                             2.1 * ends.uneven + 92.0 * ends.turns);
    layout->build_cost = step_cost(6.6 * (f64)csr->rows + 8.9 * ends.uneven);
    return status;
}

/* ---- the first stage ----------------------------------------------------------------------- */

/* State of a bunch while it processes its tiles. */
typedef struct bunch_state {
    i32 row;                     /* the first row of the next tile */
    real carry;                  /* sum of the bunch's part of that row so far */
    bool is_foreign;             /* did that row begin before the bunch? */
    i64 next_dirty;              /* the next tile of the kept list */
} bunch_state;

/* Stores the sums of a clean tile's segments, from `first` on, to consecutive rows. */
DEVICE void store_row_sums(const spec_operands *v, const tile_descriptor *d, const real *sum,
                           i32 row, i32 first)
{
    const real alpha = v->alpha;
    const real beta = v->beta;
    real *y = v->y;
    i32 j = first;

    for (; j + LANES <= d->segments; j += LANES)
        v_y_store(y, row + j, v_collect(sum, d->end_at + j), alpha, beta);
    for (; j < d->segments; j++)
        y_store(y, row + j, sum[d->end_at[j]], alpha, beta);
}

/* Stores the compact sums of a dirty tile: to y if beta is 0, else to its records. */
DEVICE void store_compact_sums(const spec_matrix *a, const spec_operands *v,
                               const tile_descriptor *d, const real *sum, i64 tile, i64 records,
                               i32 row, i32 first)
{
    real *to = v->beta == 0 ? v->y + row : v->record + records;

    for (i32 j = first; j < d->segments; j++)
        to[j] = sum[d->end_at[j]];
    if (!a->is_kept) {
        v->dirty[tile / S] |= (u64)1 << tile % S;
        v->dirty_rows[2 * tile] = row;
        v->dirty_rows[2 * tile + 1] = d->next_row;
    }
}

/* Is the tile dirty? *records: start of its records. */
DEVICE bool is_dirty(const spec_matrix *a, i64 tile, const tile_descriptor *d, bunch_state *bunch,
                     i64 *records)
{
    if (!a->is_kept) {
        *records = record_begin(a, tile, bunch->row);
        return d->segments < d->next_row - bunch->row;
    }
    if (bunch->next_dirty == a->dirty || a->dirty_tile[bunch->next_dirty] != tile)
        return false;
    *records = a->record_ptr[bunch->next_dirty++];
    return true;
}

DEVICE void tile_rows(const spec_matrix *a, const spec_operands *v, i64 tile, bunch_state *bunch)
{
    tile_descriptor d;
    real sum[TILE + 1];
    i64 records = 0;
    i32 first = 0;

    describe_tile(a, tile, bunch->row, &d);
    if (d.next_row == bunch->row) {
        bunch->carry = bunch->carry + tile_sum(a, v, tile);
        return;
    }
    multiply_tile(a, v, tile, sum);
    if (W > 1)
        scan_lanes(&d, sum);
    const real carry = join_lanes(&d, sum, bunch->carry);

    if (bunch->is_foreign && d.segments) {
        v->sum[2 * (tile / S)] = sum[d.end_at[0]];
        bunch->is_foreign = false;
        first = 1;
    }
    if (is_dirty(a, tile, &d, bunch, &records))
        store_compact_sums(a, v, &d, sum, tile, records, bunch->row, first);
    else
        store_row_sums(v, &d, sum, bunch->row, first);
    bunch->row = d.next_row;
    bunch->carry = carry;
}

/* Does `row`, in which nonzero k lies, begin before k? */
DEVICE bool row_begins_before(const spec_matrix *a, i32 row, i64 k)
{
    return row < a->rows && row_begin(&a->row_ptr, row) < k;
}

DEVICE void bunch_tiles(const spec_matrix *a, const spec_operands *v, i64 b, bunch_state *bunch)
{
    const i64 end = i64_min((b + 1) * S, a->tiles);

    bunch->carry = 0;
    bunch->is_foreign = row_begins_before(a, bunch->row, b * BUNCH);
    v->open_row[b] = ROW_NONE;
    if (!a->is_kept)
        v->dirty[b] = 0;
    for (i64 t = b * S; t < end; t++)
        tile_rows(a, v, t, bunch);

    if (bunch->is_foreign) {
        v->sum[2 * b] = bunch->carry;
    } else if (row_begins_before(a, bunch->row, (b + 1) * BUNCH)) {
        v->sum[2 * b + 1] = bunch->carry;
        v->open_row[b] = bunch->row;
    }
}

/* First entry of the kept list whose tile is not before this tile. */
DEVICE i64 first_dirty_at_or_after(const spec_matrix *a, i64 tile)
{
    i64 low = 0;
    i64 high = a->dirty;

    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (a->dirty_tile[middle] < tile)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first stage of bunches [first, last). */
KERNEL void speculative_tiles(const spec_matrix *a, const spec_operands *v, i64 first, i64 last)
{
    bunch_state bunch;

    /* Empty rows before the first nonzero belong to tile 0. */
    bunch.row = first == 0 ? 0 : row_of_nonzero(&a->row_ptr, a->rows, first * BUNCH, 0);
    bunch.next_dirty = first_dirty_at_or_after(a, first * S);
    for (i64 b = first; b < last; b++)
        bunch_tiles(a, v, b, &bunch);
}

/* ---- the second stage ---------------------------------------------------------------------- */

static const real *compact_sums(const spec_operands *v, i64 records, i32 first_row)
{
    return v->beta == 0 ? v->y + first_row : v->record + records;
}

/* The second stage of bunches [first, last) and of entries [dirty_first, dirty_last) of the kept
 * list. */
KERNEL void speculative_repair(const spec_matrix *a, const spec_operands *v, i64 first, i64 last,
                               i64 dirty_first, i64 dirty_last)
{
    for (i64 b = first; b < last; b++) {
        if (v->open_row[b] != ROW_NONE)
            add_open_row(a, v, b);
        if (!a->is_kept)
            rearrange_bunch(a, v, b);
    }
    for (i64 i = dirty_first; i < dirty_last; i++)
        rearrange_tile(a, v, a->dirty_tile[i], a->record_ptr[i], a->dirty_rows[2 * i],
                       a->dirty_rows[2 * i + 1]);
}

/* ---- launches ------------------------------------------------------------------------------ */

static spec_operands spec_operands_of(const spmv_job *job, const spec_matrix *a)
{
    const workspace_map map = workspace_map_of(a, job->layout->number[NUMBER_RECORDS]);
    u8 *workspace = (u8 *)job->workspace;
    spec_operands v;

    v.val = csr_val(job->layout);
    v.xb = x_rebase((const real *)job->x, job->layout->csr.base);
    v.y = (real *)job->y;
    v.sum = (real *)workspace;
    v.open_row = (i32 *)(workspace + map.open_row);
    v.dirty = (u64 *)(workspace + map.dirty);
    v.dirty_rows = (i32 *)(workspace + map.dirty_rows);
    v.record = (real *)(workspace + map.record);
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    v.fetched = X_AHEAD > 0 ? fetched_columns(job->layout) : 0;
    return v;
}

static void run_tiles(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    const spec_operands v = spec_operands_of(job, &a);

    speculative_tiles(&a, &v, first * B, i64_min(last * B, a.bunches));
}

static void run_repair(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    const spec_operands v = spec_operands_of(job, &a);
    const i64 grid = i64_ceil_div(a.bunches, B);

    /* Without a list `dirty` is 0, and all shares of it are empty. */
    speculative_repair(&a, &v, first * B, i64_min(last * B, a.bunches),
                       share_begin(first, a.dirty, grid), share_begin(last, a.dirty, grid));
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const spec_matrix a = spec_view(job->layout);
    const i64 grid = i64_ceil_div(a.bunches, B);
    i32 n = 0;

    if (job->alpha == 0 || a.nnz == 0)
        return scale_launches(job, step);
    n = add_step(step, n, "speculative_tiles", run_tiles, grid);
    n = add_step(step, n, "speculative_repair", run_repair, grid);
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = cpu_layout_size,
    .build_steps = build_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .settings = settings,
    .setting_count = SETTING_COUNT,
};
