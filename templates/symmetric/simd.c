/* Symmetric: multiplies a symmetric matrix by its upper triangle, so that each value is read once
 * for two entries. The triangle is stored by diagonals or by runs of columns.
 *
 * An entry a in row i and column j > i is added to two rows: a * x[j] to row i, a * x[i] to row j.
 * Rows are cut into segments, whose number depends on the matrix alone. A segment adds in its own
 * ring, and what it adds to rows of later segments stays there, as its tail. The first rows of a
 * segment, its heads, get tails, so their sums are kept apart. A second step adds the tails to them
 * in the order of segments. So the bits do not depend on threads.
 *
 * No product is formed for a hole, so an Inf or NaN in x reaches no row without that column.
 */
#include "../prelude/simd.h"
#include "../prelude/host.h"
#include "../common/simd_fetch_ahead.h"
#include "../common/simd_scale.h"
#include "layout.h"
#include "build.h"
#include "layout_stats.h"
#include "simd_runs.h"

/* ---- a diagonal of a block ------------------------------------------------------------------ */

/* The bits of the LANES places from place i on. */
DEVICE u32 lane_bits(const u8 *mask, i64 i)
{
    u32 bits = mask[i / 8];

    if (LANES > 8)
        bits |= (u32)mask[i / 8 + 1] << 8;
    return bits >> (i % 8) & (((u32)1 << (LANES - 1) << 1) - 1);
}

/* Adds LANES entries of a diagonal: to the sums of their rows, and of their columns. A block's x
 * and y are too short for the CPU's own prefetching, so those of the next block are prefetched. */
INLINED void add_vector(const real *val, u32 bits, i32 masked, const real *x_row,
                        const real *x_col, real *sum, real *later, const real *y)
{
    const vmask m = m_from_bits(bits);
    const vreal a = v_load(val);

    fetch_stream(val);
    prefetch_l2(later ? x_col + BLOCK_ROWS : y + BLOCK_ROWS);
    v_store(sum, masked ? v_fma_where(m, a, v_load(x_col), v_load(sum))
                        : v_fma(a, v_load(x_col), v_load(sum)));
    if (later)
        v_store(later, masked ? v_fma_where(m, a, v_load(x_row), v_load(later))
                              : v_fma(a, v_load(x_row), v_load(later)));
}

/* Adds the first `count` places of a diagonal of a block. later: NULL on the main diagonal. The
 * last places are added one by one, because x ends there. */
INLINED void add_diagonal(const real *val, const u8 *mask, i32 masked, i64 count, const real *x_row,
                          const real *x_col, real *sum, real *later, const real *y)
{
    i64 i = 0;

    for (; i + LANES <= count; i += LANES)
        add_vector(val + i, masked ? lane_bits(mask, i) : 0, masked, x_row + i, x_col + i, sum + i,
                   later ? later + i : NULL, y + i);
    for (; i < count; i++) {
        if (masked && !(mask[i / 8] >> (i % 8) & 1))
            continue;
        sum[i] = r_fma(val[i], x_col[i], sum[i]);
        if (later)
            later[i] = r_fma(val[i], x_row[i], later[i]);
    }
}

/* Adds all diagonals of block b, whose first row has place `at` of the ring. sum: what the block's
 * own entries add to its rows. */
DEVICE void add_block(const half_matrix *a, const real *x, i64 b, real *sum, real *ring, i64 at,
                      const real *y)
{
    const i64 row = b * BLOCK_ROWS;
    const real *val = a->val + b * a->diagonals * BLOCK_ROWS;
    const u8 *mask = a->mask + b * a->diagonals * (BLOCK_ROWS / 8);
    const u8 *full = a->full + b * a->diagonals;
    const i64 turn = ring_rows(a->reach);

    for (i64 k = 0; k < a->diagonals; k++, val += BLOCK_ROWS, mask += BLOCK_ROWS / 8) {
        const i64 d = a->distance[k];
        const i64 count = i64_min(BLOCK_ROWS, a->rows - d - row);
        real *later = ring + (at + d < turn ? at + d : at + d - turn);

        if (d == 0 && full[k])
            add_diagonal(val, mask, 0, count, x + row, x + row, sum, NULL, y);
        else if (d == 0)
            add_diagonal(val, mask, 1, count, x + row, x + row, sum, NULL, y);
        else if (full[k])
            add_diagonal(val, mask, 0, count, x + row, x + row + d, sum, later, y);
        else
            add_diagonal(val, mask, 1, count, x + row, x + row + d, sum, later, y);
    }
}

/* ---- segments ------------------------------------------------------------------------------- */

/* Adds the sums behind the ring's end to the first ones, which are of the same rows. */
DEVICE void close_ring(real *ring, i64 turn)
{
    for (i64 i = 0; i < BLOCK_ROWS; i++) {
        ring[i] += ring[turn + i];
        ring[turn + i] = 0;
    }
}

/* Writes the sums of `count` rows, which are in two parts, and clears the second. */
DEVICE void store_heads(real *head, i64 count, const real *sum, real *ring)
{
    i64 i = 0;

    for (; i + LANES <= count; i += LANES) {
        v_store(head + i, v_add(v_load(ring + i), v_load(sum + i)));
        v_store(ring + i, v_zero());
    }
    for (; i < count; i++) {
        head[i] = ring[i] + sum[i];
        ring[i] = 0;
    }
}

/* The same, to y of rows from `row` on. */
DEVICE void store_rows(real *y, i64 row, i64 count, const real *sum, real *ring, real alpha,
                       real beta)
{
    i64 i = 0;

    for (; i + LANES <= count; i += LANES) {
        v_y_store(y, (i32)(row + i), v_add(v_load(ring + i), v_load(sum + i)), alpha, beta);
        v_store(ring + i, v_zero());
    }
    for (; i < count; i++) {
        y_store(y, (i32)(row + i), ring[i] + sum[i], alpha, beta);
        ring[i] = 0;
    }
}

/* Multiplies segments [first, last). */
KERNEL void symmetric_segments(const half_matrix *a, const real *x, real *y, real *workspace,
                               real alpha, real beta, i64 first, i64 last)
{
    const i64 turn = ring_rows(a->reach);

    for (i64 s = first; s < last; s++) {
        real *ring = segment_ring(a, workspace, s);
        real *head = ring + ring_values(a->reach);
        i64 heads = segment_heads(a, s);
        i64 at = 0;

        for (i64 i = -RING_PAD; i < ring_values(a->reach); i++)
            ring[i] = 0;
        for (i64 b = segment_block(a, s); b < segment_block(a, s + 1); b++) {
            const i64 rows = i64_min(BLOCK_ROWS, a->rows - b * BLOCK_ROWS);
            const i64 kept = i64_min(rows, heads);
            real sum[BLOCK_ROWS] = {0};

            if (at == 0)
                close_ring(ring, turn);
            if (a->storage == BY_RUNS)
                add_runs(a, x, b, sum, ring, at);
            else
                add_block(a, x, b, sum, ring, at, y + b * BLOCK_ROWS);
            store_heads(head, kept, sum, ring + at);
            store_rows(y, b * BLOCK_ROWS + kept, rows - kept, sum + kept, ring + at + kept, alpha,
                       beta);
            head += kept;
            heads -= kept;
            at = at + BLOCK_ROWS < turn ? at + BLOCK_ROWS : 0;
        }
        close_ring(ring, turn);
    }
}

DEVICE void add_sums(real *head, const real *tail, i64 count)
{
    i64 i = 0;

    for (; i + LANES <= count; i += LANES)
        v_store(head + i, v_add(v_load(head + i), v_load(tail + i)));
    for (; i < count; i++)
        head[i] += tail[i];
}

/* Adds what segment `from` has for the first rows of segment s to the heads of these. */
DEVICE void add_tail(const half_matrix *a, real *workspace, i64 from, i64 s, real *head)
{
    const real *ring = segment_ring(a, workspace, from);
    const i64 turn = ring_rows(a->reach);
    const i64 begin = segment_row(a, s);
    const i64 count = i64_min(segment_heads(a, s), segment_row(a, from + 1) + a->reach - begin);
    const i64 at = (begin - segment_row(a, from)) % turn;
    const i64 before = i64_min(count, turn - at);    /* the ring's end */

    add_sums(head, ring + at, before);
    if (before < count)
        add_sums(head + before, ring, count - before);
}

/* Adds the tails of earlier segments to the heads of segments [first + 1, last + 1), and writes
 * these rows of y. */
KERNEL void symmetric_heads(const half_matrix *a, real *y, real *workspace, real alpha, real beta,
                            i64 first, i64 last)
{
    for (i64 s = first + 1; s < last + 1; s++) {
        real *head = segment_ring(a, workspace, s) + ring_values(a->reach);
        const i64 begin = segment_row(a, s);
        const i64 heads = segment_heads(a, s);
        i64 i = 0;

        for (i64 from = 0; from < s; from++)
            add_tail(a, workspace, from, s, head);
        for (; i + LANES <= heads; i += LANES)
            v_y_store(y, (i32)(begin + i), v_load(head + i), alpha, beta);
        for (; i < heads; i++)
            y_store(y, (i32)(begin + i), head[i], alpha, beta);
    }
}

/* ---- launches ------------------------------------------------------------------------------- */

static void run_segments(const spmv_job *job, i64 first, i64 last)
{
    const half_matrix a = half_view(job->layout);
    symmetric_segments(&a, (const real *)job->x, (real *)job->y, (real *)job->workspace,
                       (real)job->alpha, (real)job->beta, first, last);
}

static void run_heads(const spmv_job *job, i64 first, i64 last)
{
    const half_matrix a = half_view(job->layout);
    symmetric_heads(&a, (real *)job->y, (real *)job->workspace, (real)job->alpha, (real)job->beta,
                    first, last);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const i64 segments = job->layout->number[NUMBER_SEGMENTS];

    if (job->alpha == 0 || job->layout->csr.nnz == 0)
        return scale_launches(job, step);
    const i32 n = add_step(step, 0, "symmetric_segments", run_segments, segments);
    return segments > 1 ? add_step(step, n, "symmetric_heads", run_heads, segments - 1) : n;
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = build_steps,
    .update_steps = update_steps,
    .restore_steps = restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .number_count = NUMBERS,
    .converts = 1,
    .symmetric = 1,
};
