/* Strips: each strip of rows is stored as lanes, diagonals or runs, by estimated cost.
 *
 * No paper has the method as a whole. Its parts are SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske,
 * Bishop, SISC 2014), SPC5's blocks with masks (Bramas & Kus, PeerJ CS 2018), the diagonal format
 * with a mask where a diagonal has holes, and, for rows longer than a strip, EVC-HYB's parts (Guo &
 * Gropp, IJHPCA 2016). y is in the order of rows. The comment on the layout draws the storages.
 *
 * Nothing is padded: a multiplication uses only entries of the matrix, and an Inf in x meets only
 * entries of its own column. Lanes and diagonals without an entry are masked and keep their sums.
 */
#include "../prelude/simd.h"
#include "../prelude/host.h"
#include "../common/simd_fetch_x.h"
#include "../common/simd_scale.h"
#include "layout.h"
#include "choose.h"
#include "build.h"
#include "build_sizes.h"
#include "update.h"
#include "layout_stats.h"
#include "simd_vectors.h"
#include "simd_lanes.h"
#include "simd_diagonals.h"
#include "simd_runs.h"
#include "simd_parts.h"
#include "simd_columns_strip.h"

/* ---- strips -------------------------------------------------------------------------------- */

/* Prefetches `lines` cache lines from p on. */
INLINED void prefetch_lines(const void *p, i32 lines)
{
    for (i32 i = 0; i < lines; i++)
        prefetch((const c8 *)p + i * 64);
}

/* Prefetches the beginning of strip s, which no hardware prefetcher predicts, while the strip
 * before is multiplied. */
INLINED void prefetch_strip(const strips_matrix *a, i64 s)
{
    const strip *t = &a->strips[s];
    const i32 *index = a->index + strip_index(t->entry, s);

    prefetch_lines(a->strips + s + 1, 2);
    prefetch_lines(index, 4);
    if (t->kind == STRIP_LANES) {
        prefetch_lines(index + narrow_columns_begin(t), 4);
        prefetch_lines(a->row + t->row, 4);
        prefetch_lines(a->count + s * BOUNDARY, 2);
        prefetch_lines(a->lane_slices + first_lane_slice(t->row, s), 4);
    } else {
        prefetch_lines(a->row + t->row, 2);
        prefetch_lines(a->diagonals + first_diagonal_slice(t->row, s), 2);
    }
}

/* Multiplies the rows of strip s, whose values have a coding of this kind. */
INLINED void multiply_strip(const i32 kind, const strips_matrix *a, const strips_vectors *v,
                            const strip *t, i64 s, i32 rows)
{
    if (t->kind == STRIP_LANES)
        multiply_lanes(kind, a, v, t, s, rows);
    else if (t->kind == STRIP_DIAGONALS)
        multiply_diagonals(kind, a, v, t, s, rows);
    else
        multiply_runs(kind, a, v, t, s, rows);
}

/* A function for each kind of coding: one for all would spill registers of some kinds. */

DEVICE void multiply_wide(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s,
                          i32 rows)
{
    multiply_strip(VALUES_WIDE, a, v, t, s, rows);
}

DEVICE void multiply_equal(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s,
                           i32 rows)
{
    multiply_strip(VALUES_EQUAL, a, v, t, s, rows);
}

DEVICE void multiply_few(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s,
                         i32 rows)
{
    multiply_strip(VALUES_FEW, a, v, t, s, rows);
}

DEVICE void multiply_byte(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s,
                          i32 rows)
{
    multiply_strip(VALUES_BYTE, a, v, t, s, rows);
}

DEVICE void multiply_single(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s,
                            i32 rows)
{
    multiply_strip(VALUES_SINGLE, a, v, t, s, rows);
}

DEVICE void multiply_coded(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s,
                           i32 rows)
{
    switch (coding_of(a, s, BLOCK_ROWS).kind) {
    case VALUES_WIDE:
        multiply_wide(a, v, t, s, rows);
        break;
    case VALUES_EQUAL:
        multiply_equal(a, v, t, s, rows);
        break;
    case VALUES_FEW:
        if (TABLE_VALUES > 0)
            multiply_few(a, v, t, s, rows);
        break;
    case VALUES_BYTE:
        if (sizeof(real) > sizeof(f32))
            multiply_byte(a, v, t, s, rows);
        break;
    default:
        if (sizeof(real) > sizeof(f32))
            multiply_single(a, v, t, s, rows);
        break;
    }
}

DEVICE void multiply_rows(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s)
{
    if (NARROW_VALUES)
        multiply_coded(a, v, t, s, strip_row_count(t));
    else
        multiply_wide(a, v, t, s, strip_row_count(t));
}

KERNEL void strips_multiply(const strips_matrix *a, const strips_vectors *v, i64 first, i64 last)
{
    for (i64 s = first; s < last; s++) {
        const strip *t = &a->strips[s];
        if (s + 1 < last)
            prefetch_strip(a, s + 1);
        if (t->has_part[PART_CONTINUED])
            v->part[s * STRIP_PARTS + PART_CONTINUED] = part_sum(a, v->x, t, s, PART_CONTINUED);
        multiply_rows(a, v, t, s);
        if (t->has_part[PART_BEGUN])
            v->part[s * STRIP_PARTS + PART_BEGUN] = part_sum(a, v->x, t, s, PART_BEGUN);
    }
}

/* ---- launches ------------------------------------------------------------------------------ */

static strips_vectors strips_vectors_of(const spmv_job *job)
{
    strips_vectors v;
    v.x = (const real *)job->x;
    v.y = (real *)job->y;
    v.part = (real *)job->workspace;
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    v.fetches_x = X_AHEAD > 0 && fetched_columns(job->layout) > 0;
    return v;
}

static void run_strips(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    const strips_vectors v = strips_vectors_of(job);
    strips_multiply(&a, &v, first, last);
}

static void run_split_rows(const spmv_job *job, i64 first, i64 last)
{
    const strips_matrix a = strips_view(job->layout);
    const strips_vectors v = strips_vectors_of(job);
    strips_split_rows(&a, &v, first, last);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_step(step, n, "strips_multiply", run_strips, job->layout->number[NUMBER_STRIPS]);
    if (job->layout->number[NUMBER_SPLIT_ROWS])
        n = add_step(step, n, "strips_split_rows", run_split_rows,
                     job->layout->number[NUMBER_SPLIT_ROWS]);
    return n;
}

static i32 launches_columns(const spmv_job *job, spmv_step *step)
{
    i32 n = 0;

    if (job->alpha == 0)
        return scale_columns_launches(job, step);
    n = add_step(step, n, "strips_multiply_columns", run_strips_columns,
                 decoding_chunk_count(job->layout->number[NUMBER_STRIPS]));
    if (job->layout->number[NUMBER_SPLIT_ROWS])
        n = add_step(step, n, "strips_split_rows_columns", run_split_rows_columns,
                     job->layout->number[NUMBER_SPLIT_ROWS]);
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = build_steps,
    .update_steps = update_steps,
    .restore_steps = restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .settings = settings,
    .setting_count = sizeof settings / sizeof settings[0],
    .converts = 1,
    .sizing_bytes = sizeof(strip_scratch),
    .launches_columns = SEVERAL_VECTORS ? launches_columns : NULL,
};
