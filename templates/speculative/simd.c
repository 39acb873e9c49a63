/* Speculative segmented sum (Liu & Vinter, Parallel Computing 2015) on SIMD units.
 *
 * The comment on the layout defines the rows of a tile, and draws the workspace. The two stages:
 *
 *   speculative_tiles    a bunch processes its S tiles from left to right. A tile is described and
 *                        its segments are summed; the part of a row that continues is passed to the
 *                        next tile. The sums of the rows that end in the tile are compact, one for
 *                        each segment, and are stored to y from the tile's first row on: the
 *                        prediction is that none of the tile's rows is empty. Where it failed, and
 *                        repair is device or beta is not 0, each sum is stored to its own row
 *   speculative_repair   adds the parts of rows that span bunches, which the synchronizer holds, in
 *                        the order of bunches, and moves the sums of dirty tiles to their rows
 *
 * B bunches, a work-group, are one index of the grid of both stages. Both run on the CPU.
 *
 * Gaps of the paper closed here:
 *
 *   - empty rows: no step of Algorithm 1 stores them, and its CPU adds to values of y that no step
 *     need have stored. Here every row has an owner, which stores it even if it is empty. Without
 *     nonzeros there is no tile, and y becomes beta*y;
 *   - alpha and beta: if beta is 0 and repair is host, a dirty tile's compact sums go to y, as in
 *     the paper, to rows that the tile owns. With another beta a compact sum would overwrite the
 *     old value of a row that is still needed;
 *   - the paper fills the speculator through the atomic dirty counter, in the order of arrival.
 *     Here each tile has a fixed place in it;
 *   - the last tile may be incomplete: its missing products are zeros that belong to no row;
 *   - only the first bunch of a range finds its first row by binary search, where the paper
 *     searches S + 1 borders a bunch. From there on the description of each tile ends at the next
 *     border (describe_tile);
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
#include "host_repair.h"
#include "layout.h"
#include "layout_descriptor.h"
#include "layout_stats.h"
#include "simd_tile.h"
#include "simd_workspace.h"

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const spec_matrix a = spec_view(layout);
    const spmv_status status = borrowed_layout_size(layout);
    const row_endings ends = row_endings_of(layout, csr->cols + 1, 1);

    /* Each multiplication describes all tiles again and repairs those with empty rows. */
    layout->cost = csr_traffic(csr) +
                   step_cost(1600.0 + 2.5 * (f64)csr->nnz + 20.0 * (f64)csr->rows +
                             2.1 * ends.uneven + 92.0 * ends.turns);
    layout->build_cost = step_cost(6.6 * (f64)csr->rows + 8.9 * ends.uneven);
    return status ? status : set_workspace(layout, workspace_map_of(&a).end, 1);
}

/* ---- the first stage ----------------------------------------------------------------------- */

/* State of a bunch while it processes its tiles. */
typedef struct bunch_state {
    i32 row;                     /* the first row of the next tile */
    real carry;                  /* sum of the bunch's part of that row so far */
    bool is_foreign;             /* did that row begin before the bunch? */
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

/* Stores the compact sums of a dirty tile, for the second stage. */
DEVICE void store_compact_sums(const spec_operands *v, const tile_descriptor *d, const real *sum,
                               i64 tile, i32 row, i32 first)
{
    for (i32 j = first; j < d->segments; j++)
        v->y[row + j] = sum[d->end_at[j]];
    v->dirty[tile / S] |= (u64)1 << tile % S;
}

/* Stores the rows [row, next_row) of a dirty tile, each with its own sum. Empty rows take the zero
 * at sum[TILE]. They cannot be predicted, so no branch depends on them. */
DEVICE void store_own_sums(const spec_matrix *a, const spec_operands *v, const real *sum, i64 tile,
                           i32 row, i32 next_row)
{
    const row_offsets row_ptr = a->row_ptr;
    const real alpha = v->alpha;
    const real beta = v->beta;
    const i64 tile_begin = tile * TILE;
    real *y = v->y;
    i64 begin = row_begin(&row_ptr, row);

    for (i32 r = row; r < next_row; r++) {
        const i64 end = row_begin(&row_ptr, r + 1);
        const u32 k = (u32)(end - tile_begin) - 1;
        const u32 at[2] = { k % W * T + k / W, TILE };

        y_store(y, r, sum[at[begin == end]], alpha, beta);
        begin = end;
    }
}

DEVICE void tile_rows(const spec_matrix *a, const spec_operands *v, i64 tile, bunch_state *bunch)
{
    const i32 row = bunch->row;
    tile_descriptor d;
    real sum[TILE + 1];
    i32 first = 0;

    if (!REPAIRS_AT_ONCE)
        v->tile_row[tile] = row;
    describe_tile(a, tile, row, &d);
    if (d.next_row == row) {
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
    if (d.segments == d.next_row - row)
        store_row_sums(v, &d, sum, row, first);
    else if (REPAIRS_AT_ONCE || v->beta != 0)
        store_own_sums(a, v, sum, tile, row + first, d.next_row);
    else
        store_compact_sums(v, &d, sum, tile, row, first);
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
    if (!REPAIRS_AT_ONCE)
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

/* The first stage of bunches [first, last). */
KERNEL void speculative_tiles(const spec_matrix *a, const spec_operands *v, i64 first, i64 last)
{
    bunch_state bunch;

    /* Empty rows before the first nonzero belong to tile 0. */
    bunch.row = first == 0 ? 0 : row_of_nonzero(&a->row_ptr, a->rows, first * BUNCH, 0);
    for (i64 b = first; b < last; b++)
        bunch_tiles(a, v, b, &bunch);
}

/* ---- the second stage ---------------------------------------------------------------------- */

/* The second stage of bunches [first, last). */
KERNEL void speculative_repair(const spec_matrix *a, const repair_operands *v, i64 first, i64 last)
{
    for (i64 b = first; b < last; b++) {
        add_open_row(a, v, b);
        if (!REPAIRS_AT_ONCE)
            rearrange_bunch(a, v, b);
    }
}

/* ---- launches ------------------------------------------------------------------------------ */

static void run_tiles(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    const workspace_map map = workspace_map_of(&a);
    u8 *workspace = (u8 *)job->workspace;
    spec_operands v;

    v.val = csr_val(job->layout);
    v.xb = x_rebase((const real *)job->x, job->layout->csr.base);
    v.y = (real *)job->y;
    v.sum = (real *)workspace;
    v.open_row = (i32 *)(workspace + map.open_row);
    v.dirty = (u64 *)(workspace + map.dirty);
    v.tile_row = (i32 *)(workspace + map.tile_row);
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    v.fetched = X_AHEAD > 0 ? fetched_columns(job->layout) : 0;
    speculative_tiles(&a, &v, first * B, i64_min(last * B, a.bunches));
}

static void run_repair(const spmv_job *job, i64 first, i64 last)
{
    const spec_matrix a = spec_view(job->layout);
    const workspace_map map = workspace_map_of(&a);
    const u8 *workspace = (const u8 *)job->workspace;
    repair_operands v;

    v.y = (real *)job->y;
    v.sum = (const real *)workspace;
    v.open_row = (const i32 *)(workspace + map.open_row);
    v.dirty = (const u64 *)(workspace + map.dirty);
    v.tile_row = (const i32 *)(workspace + map.tile_row);
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    speculative_repair(&a, &v, first * B, i64_min(last * B, a.bunches));
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
    .layout_size = layout_size,
    .build_steps = borrowed_no_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
};
