/* CSR5 (Liu & Vinter, ICS 2015) on SIMD units: the algorithm of section 4. A step of a tile is one
 * vector.
 *
 * The comment on the layout draws the arrays. A chunk of CHUNK_TILES tiles is processed from left
 * to right. The row of the current nonzero is the open row. Its sum is carried from tile to tile,
 * and the row is written when the next one starts, so that each row is written exactly once:
 *
 *   - by the chunk in which it starts, if it also ends there;
 *   - else by csr5_carries, which adds the parts of the row in the order of chunks.
 *
 * Within a tile, in the paper's colours: green segments begin and end in one lane; blue segments
 * span several lanes and are put together after the last step; the red segment continues the row of
 * the tile before, and its sum starts from the sum of the open row.
 *
 * What the paper leaves open: alpha and beta, and who clears a y to which tiles add (section 4);
 * here each row is stored once. A matrix may be smaller than one tile. The order of additions
 * depends on the matrix and the parameters only.
 */
#include "../prelude/simd.h"
#include "../prelude/host.h"
#include "../common/cost_cycles.h"
#include "../common/cost_row_endings.h"
#include "../common/cost_traffic.h"
#include "../common/layout_columns.h"
#include "../common/simd_fetch_ahead.h"
#include "../common/simd_scale.h"
#include "../common/simd_x_at.h"
#include "build.h"
#include "build_sizes.h"
#include "layout.h"
#include "layout_classic.h"
#include "layout_stats.h"
#include "simd_classic.h"
#include "simd_layout.h"

static spmv_status cpu_layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const spmv_status status = layout_size(layout);
    const row_endings ends = row_endings_of(layout, csr->cols + 1, 1);

    /* Flags and the places of sums take as long as the products. There is one branch in each step,
     * taken if a row begins in any of LANES lanes: it is mispredicted if row lengths vary. */
    layout->cost = csr_traffic(csr) +
                   step_cost(2.5 * (f64)csr->nnz + 2.7 * (f64)csr->rows + 58.0 * ends.empty +
                             120.0 / (f64)LANES * ends.surprising + 1.5 * far_nonzeros(csr));
    layout->build_cost = step_cost(15.0 * (f64)csr->nnz + 30.0 * (f64)csr->rows +
                                   390.0 * ends.empty + 60.0 * ends.surprising +
                                   24.0 * new_memory_units(csr));
    return status;
}

/* Values of open_row.row if there is no row to write: none is open yet, or the row began in an
 * earlier chunk. */
enum { ROW_NONE = -1, ROW_FOREIGN = -2 };

typedef struct open_row {
    i32 row;
    real sum;                    /* of the row's nonzeros so far in this chunk */
} open_row;

/* The operands of one multiplication, besides the structure of the matrix. */
typedef struct csr5_operands {
    const real *val;
    const real *xb;              /* x, indexed by columns in the caller's base */
    real *y;
    real *carry;                 /* [chunks][2]: sums of the row that a chunk continues and of the
                                    row that it leaves open */
    const i32 *empty_run;
    i64 runs, grid;
    real alpha, beta;
} csr5_operands;

/* Ends the open row, whose sum is given. */
DEVICE void close_row(const csr5_operands *v, const open_row *open, real sum, real *foreign_sum)
{
    if (open->row >= 0)
        y_store(v->y, open->row, sum, v->alpha, v->beta);
    else if (open->row == ROW_FOREIGN)
        *foreign_sum = sum;
}

DEVICE column_source columns_of_tile(const csr5_matrix *a, const csr5_operands *v, i64 tile)
{
    return columns_at(a->columns[tile], a->col_idx, a->col_offset, v->xb, a->shape.size);
}

/* x at the columns of a step. */
DEVICE vreal x_at_step(column_source columns, bool narrow, i32 step)
{
    if (narrow)
        fetch_ahead(columns.narrow + step * OMEGA);
    else
        fetch_ahead(columns.wide + step * OMEGA);
    return narrow ? x_at16(columns.xb, columns.narrow + step * OMEGA)
                  : x_at(columns.xb, columns.wide + step * OMEGA);
}

/* The sum of a tile that lies in one row: a plain sum (section 3.2). */
DEVICE real tile_sum(const csr5_matrix *a, const csr5_operands *v, i64 tile, bool narrow)
{
    const column_source columns = columns_of_tile(a, v, tile);
    const real *val = v->val + tile * a->shape.size;
    vreal sum = v_zero();

    for (i32 s = 0; s < a->shape.sigma; s++) {
        fetch_ahead(val + s * OMEGA);
        sum = v_fma(v_load(val + s * OMEGA), x_at_step(columns, narrow, s), sum);
    }
    return v_sum(sum);
}

/* Slots for partial sums of a tile: one for each segment, then one for the head of each lane, which
 * are the nonzeros before the lane's first row start (all of them, if no row starts there). */
enum {
    SIGMA_MAX = SIGMA ? SIGMA : S,
    HEAD_SLOTS = OMEGA * SIGMA_MAX,
    SLOTS = HEAD_SLOTS + OMEGA
};

/* Processes the steps of a tile and fills the slots; returns the number of segments.
 *
 * At each step in which a row starts, every lane stores its running sum to the slot of its current
 * segment. An incomplete sum is overwritten by a later store, so the last value is the one at the
 * end of the segment. No branch depends on the lanes in which rows start. Green segments are then
 * complete. */
DEVICE i32 tile_steps(const csr5_matrix *a, const csr5_operands *v, i64 tile, bool narrow,
                      real *slots)
{
    const tile_shape *shape = &a->shape;
    const u32 *desc = a->tile_desc + tile * shape->words * OMEGA;
    const column_source columns = columns_of_tile(a, v, tile);
    const real *val = v->val + tile * shape->size;
    vindex slot = i_from(HEAD_SLOTS);
    vindex next = i_high_bits(desc, 32 - shape->y_bits);
    vreal sum = v_zero();

    for (i32 s = 0; s < shape->sigma; s++) {
        const i32 bit = shape->y_bits + shape->seg_bits + s;
        const vmask starts = m_test_bit(desc + bit / 32 * OMEGA, 31 - bit % 32);

        if (m_bits(starts)) {
            v_scatter(slots, slot, sum);
            slot = i_select(starts, next, slot);
            next = i_increment(starts, next);
            sum = v_select(starts, v_zero(), sum);
        }
        fetch_ahead(val + s * OMEGA);
        sum = v_fma(v_load(val + s * OMEGA), x_at_step(columns, narrow, s), sum);
    }
    v_scatter(slots, slot, sum);
    return i_last(next);
}

/* Completes blue segments: adds to the last segment of each lane the heads of the following lanes,
 * up to and including the next lane in which a row starts. */
DEVICE void join_lanes(const csr5_matrix *a, i64 tile, i32 segments, real *slots)
{
    const u32 *desc = a->tile_desc + tile * a->shape.words * OMEGA;
    const real *head = slots + HEAD_SLOTS;
    real prefix[OMEGA];
    i32 lane = 0;

    if (SEGMENTED_SUM == PREFIX_DIFFERENCE) {
        prefix[0] = head[0];
        for (i32 i = 1; i < OMEGA; i++)
            prefix[i] = prefix[i - 1] + head[i];
    }

    /* Lane 0 always has a flag, so each lane is either visited or part of a segment before it. */
    while (lane < OMEGA) {
        const i32 next = lane + lane_seg_offset(&a->shape, desc[lane]) + 1;
        const i32 segment = (next < OMEGA ? lane_y_offset(&a->shape, desc[next]) : segments) - 1;
        const i32 last = next < OMEGA ? next : OMEGA - 1;

        if (SEGMENTED_SUM == PREFIX_DIFFERENCE)
            slots[segment] = slots[segment] + (prefix[last] - prefix[lane]);
        else
            for (i32 i = lane + 1; i <= last; i++)
                slots[segment] = slots[segment] + head[i];
        lane = next;
    }
}

/* Processes a tile in which rows start. */
DEVICE void tile_segments(const csr5_matrix *a, const csr5_operands *v, i64 tile, open_row *open,
                          real *foreign_sum)
{
    const i32 row = tile_row(a->tile_ptr[tile]);
    real slots[SLOTS];
    const i32 segments = word_is_narrow(a->columns[tile]) ? tile_steps(a, v, tile, true, slots)
                                                         : tile_steps(a, v, tile, false, slots);

    join_lanes(a, tile, segments, slots);

    /* Red: segment 0 continues the open row, unless a row starts at the tile's start. */
    if (row_starts_at(a, row, tile * a->shape.size)) {
        close_row(v, open, open->sum, foreign_sum);
        open->row = row;
    } else {
        slots[0] = open->sum + slots[0];
    }
    if (segments > 1)
        close_row(v, open, slots[0], foreign_sum);

    if (tile_has_empty_rows(a->tile_ptr[tile])) {
        const i32 *row_offset = a->empty_offset + a->empty_ptr[tile];
        for (i32 j = 1; j < segments - 1; j++)
            y_store(v->y, row + row_offset[j], slots[j], v->alpha, v->beta);
        if (segments > 1)
            open->row = row + row_offset[segments - 1];
    } else {
        for (i32 j = 1; j < segments - 1; j++)
            y_store(v->y, row + j, slots[j], v->alpha, v->beta);
        if (segments > 1)
            open->row = row + segments - 1;
    }
    open->sum = slots[segments - 1];
}

/* Adds the nonzeros of the tail row by row. */
DEVICE void tail_rows(const csr5_matrix *a, const csr5_operands *v, open_row *open,
                      real *foreign_sum)
{
    const i64 tail = a->tiles * a->shape.size;
    const i64 columns = tail_columns(a);

    for (i32 r = tile_row(a->tile_ptr[a->tiles]); r < a->rows; r++) {
        const i64 begin = row_begin(&a->row_ptr, r);
        const i64 end = row_begin(&a->row_ptr, r + 1);

        if (begin == end)
            continue;
        if (begin >= tail) {
            close_row(v, open, open->sum, foreign_sum);
            open->row = r;
            open->sum = 0;
        }
        for (i64 k = i64_max(begin, tail); k < end; k++)
            open->sum = r_fma(v->val[k], v->xb[a->col_idx[columns + k - tail]], open->sum);
    }
}

/* Does chunk c begin inside a row? */
DEVICE bool chunk_continues_row(const csr5_matrix *a, i64 chunk)
{
    const i64 tile = chunk * CHUNK_TILES;
    return !row_starts_at(a, tile_row(a->tile_ptr[tile]), tile * a->shape.size);
}

DEVICE void chunk_tiles(const csr5_matrix *a, const csr5_operands *v, i64 chunk)
{
    const i64 end = i64_min((chunk + 1) * CHUNK_TILES, a->tiles);
    real *carry = v->carry + 2 * chunk;
    open_row open;

    open.row = chunk_continues_row(a, chunk) ? ROW_FOREIGN : ROW_NONE;
    open.sum = 0;

    for (i64 t = chunk * CHUNK_TILES; t < end; t++) {
        if (!FAST_TRACK || tile_row(a->tile_ptr[t]) != tile_row(a->tile_ptr[t + 1])) {
            tile_segments(a, v, t, &open, &carry[0]);
            continue;
        }

        const i32 row = tile_row(a->tile_ptr[t]);
        if (row_starts_at(a, row, t * a->shape.size)) {
            close_row(v, &open, open.sum, &carry[0]);
            open.row = row;
            open.sum = 0;
        }
        open.sum = open.sum + (word_is_narrow(a->columns[t]) ? tile_sum(a, v, t, true)
                                                             : tile_sum(a, v, t, false));
    }

    if (chunk + 1 == a->chunks)
        tail_rows(a, v, &open, &carry[0]);

    if (chunk + 1 < a->chunks && chunk_continues_row(a, chunk + 1))
        carry[open.row == ROW_FOREIGN ? 0 : 1] = open.sum;
    else
        close_row(v, &open, open.sum, &carry[0]);
}

/* Stores the sum 0 of rows without nonzeros. */
DEVICE void empty_rows(const csr5_operands *v, i64 run_begin, i64 run_end)
{
    for (i64 i = run_begin; i < run_end; i++) {
        const i32 first = v->empty_run[2 * i];
        const i32 end = first + v->empty_run[2 * i + 1];
        for (i32 r = first; r < end; r++)
            y_store(v->y, r, 0, v->alpha, v->beta);
    }
}

/* Indices [first, last) of the grid, each with an equal share of chunks and of empty rows. */
KERNEL void csr5_tiles(const csr5_matrix *a, const csr5_operands *v, i64 first, i64 last)
{
    const i64 chunk_end = share_begin(last, a->chunks, v->grid);

    for (i64 chunk = share_begin(first, a->chunks, v->grid); chunk < chunk_end; chunk++)
        chunk_tiles(a, v, chunk);
    empty_rows(v, share_begin(first, v->runs, v->grid), share_begin(last, v->runs, v->grid));
}

/* Adds the parts of rows that lie in several chunks, in order. */
KERNEL void csr5_carries(const csr5_matrix *a, const csr5_operands *v)
{
    for (i64 chunk = 0; chunk + 1 < a->chunks; chunk++) {
        if (!chunk_continues_row(a, chunk + 1))
            continue;

        const i32 row = tile_row(a->tile_ptr[(chunk + 1) * CHUNK_TILES]);
        real sum = v->carry[2 * chunk + 1];
        sum = sum + v->carry[2 * (chunk + 1)];
        while (chunk + 2 < a->chunks && chunk_continues_row(a, chunk + 2) &&
               tile_row(a->tile_ptr[(chunk + 2) * CHUNK_TILES]) == row) {
            chunk++;
            sum = sum + v->carry[2 * (chunk + 1)];
        }
        y_store(v->y, row, sum, v->alpha, v->beta);
    }
}

/* ---- launches ------------------------------------------------------------------------------ */

static csr5_operands csr5_operands_of(const spmv_job *job)
{
    csr5_operands v;
    v.val = (const real *)job->layout->array[VAL].data;
    v.xb = x_rebase((const real *)job->x, job->layout->csr.base);
    v.y = (real *)job->y;
    v.carry = (real *)job->workspace;
    v.empty_run = (const i32 *)job->layout->array[EMPTY_RUN].data;
    v.runs = job->layout->number[NUMBER_RUNS];
    v.grid = job->layout->number[NUMBER_GRID];
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    return v;
}

static void run_tiles(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    const csr5_operands v = csr5_operands_of(job);
    csr5_tiles(&a, &v, first, last);
}

static void run_carries(const spmv_job *job, i64 first, i64 last)
{
    const csr5_matrix a = csr5_view(job->layout);
    const csr5_operands v = csr5_operands_of(job);

    (void)first;
    (void)last;
    csr5_carries(&a, &v);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_step(step, n, "csr5_tiles", run_tiles, job->layout->number[NUMBER_GRID]);
    if (job->layout->number[NUMBER_CHUNKS] > 1)
        n = add_step(step, n, "csr5_carries", run_carries, 1);
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = SEGMENTED_SUM == CLASSIC ? classic_layout_size : cpu_layout_size,
    .build_steps = SEGMENTED_SUM == CLASSIC ? borrowed_no_steps : build_steps,
    .update_steps = SEGMENTED_SUM == CLASSIC ? borrowed_no_steps : update_steps,
    .restore_steps = SEGMENTED_SUM == CLASSIC ? borrowed_restore_steps : restore_steps,
    .launches = SEGMENTED_SUM == CLASSIC ? classic_launches : launches,
    .figures = FIGURES && SEGMENTED_SUM != CLASSIC ? layout_stats : NULL,
    .converts = SEGMENTED_SUM == CLASSIC ? 0 : 1,
};
