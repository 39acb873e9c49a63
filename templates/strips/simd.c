/* Strips: rows in lanes, diagonals or runs of columns, strip by strip.
 *
 * No paper has it as it stands. Its parts are SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske,
 * Bishop, SISC 2014), SPC5's blocks with masks (Bramas & Kus, PeerJ CS 2018), the diagonal format
 * with a mask where a diagonal has holes, and, for rows that are most of the matrix, EVC-HYB's
 * parts (Guo & Gropp, IJHPCA 2016). y is in the order of rows. The comment on the layout draws all
 * of it.
 *
 * Nothing is padded, so that memory reads what the matrix has and an Inf in x meets only what is
 * in its column: lanes and diagonals without an entry are masked, and keep their sums.
 */
#include "../prelude/simd.h"
#include "../prelude/host.h"
#include "layout.c"
#include "blocks.c"
#include "rows.c"
#include "build.c"
#include "sizes.c"
#include "figures.c"
#include "../common/simd_scale.h"
#include "../common/simd_row_sum.h"
#include "../common/simd_fetch_x.h"

enum {
    SLICE_VECTORS = SLICE_ROWS / LANES,
    DIAGONAL_VECTORS = DIAGONAL_ROWS / LANES
};

/* What one multiplication works on. */
typedef struct strips_vectors {
    const real *x;
    real *y;
    real *part;
    real alpha, beta;
    bool fetches_x;              /* it is large enough for that */
} strips_vectors;

/* The lanes of vector i that a mask of several vectors has. */
DEVICE u32 vector_bits(u32 mask, i32 i)
{
    return mask >> (i * LANES) & (((u32)1 << (LANES - 1) << 1) - 1);
}

/* Packed values from val on, put to the lanes whose bit is set; others hold anything. */
DEVICE vreal expand(const real *val, u32 bits)
{
    return EXPAND_WITH_TABLE ? v_expand_by_table(val, bits) : v_expand(val, bits);
}

#include "simd_lanes.c"
#include "simd_diagonals.c"
#include "simd_runs.c"

/* ---- strips -------------------------------------------------------------------------------- */

/* Some lines from p on, which no hardware can foresee. */
FETCHER void prefetch_lines(const void *p, i32 lines)
{
    for (i32 i = 0; i < lines; i++)
        prefetch((const c8 *)p + i * 64);
}

/* Where strip s begins, while the one before it is multiplied. */
FETCHER void prefetch_strip(const strips_matrix *a, i64 s)
{
    const strip *t = &a->strips[s];
    const i32 *index = a->index + strip_index(t->entry, s);

    prefetch_lines(a->strips + s + 1, 2);
    prefetch_lines(index, 4);
    if (t->kind == STRIP_LANES) {
        prefetch_lines(index + narrow_place(t), 4);
        prefetch_lines(a->row + t->row, 4);
        prefetch_lines(a->count + s * BOUNDARY, 2);
        prefetch_lines(a->lane_slices + first_lane_slice(t->row, s), 4);
    } else {
        prefetch_lines(a->row + t->row, 2);
        prefetch_lines(a->diagonals + first_diagonal_slice(t->row, s), 2);
    }
}

KERNEL void strips_multiply(const strips_matrix *a, const strips_vectors *v, i64 first, i64 last)
{
    for (i64 s = first; s < last; s++) {
        const strip *t = &a->strips[s];
        const i32 rows = strip_row_count(t);
        if (s + 1 < last)
            prefetch_strip(a, s + 1);
        if (t->has_part[PART_CONTINUED])
            v->part[s * STRIP_PARTS + PART_CONTINUED] = part_sum(a, v->x, t, s, PART_CONTINUED);
        if (t->kind == STRIP_LANES)
            multiply_lanes(a, v, t, s, rows);
        else if (t->kind == STRIP_DIAGONALS)
            multiply_diagonals(a, v, t, s, rows);
        else
            multiply_runs(a, v, t, s, rows);
        if (t->has_part[PART_BEGUN])
            v->part[s * STRIP_PARTS + PART_BEGUN] = part_sum(a, v->x, t, s, PART_BEGUN);
    }
}

/* Split rows [first, last): the sums of their parts, in order. */
KERNEL void strips_split_rows(const strips_matrix *a, const strips_vectors *v, i64 first, i64 last)
{
    for (i64 i = first; i < last; i++) {
        const i32 row = a->split_rows[i];
        const i64 begun = (row + row_begin(&a->row_ptr, row)) / a->strip_weight;
        const i64 ended = (row + row_begin(&a->row_ptr, row + 1)) / a->strip_weight;
        real sum = v->part[begun * STRIP_PARTS + PART_BEGUN];
        for (i64 s = begun + 1; s <= ended; s++)
            sum = sum + v->part[s * STRIP_PARTS + PART_CONTINUED];
        y_store(v->y, row, sum, v->alpha, v->beta);
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
        n = add_step(step, n, "strips_split_rows", run_split_rows, job->layout->number[NUMBER_SPLIT_ROWS]);
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = build_steps,
    .update_steps = update_steps,
    .restore_steps = restore_steps,
    .launches = launches,
    .figures = FIGURES ? figures : NULL,
    .converts = 1,
    .sizing_bytes = sizeof(strip_scratch),
};
