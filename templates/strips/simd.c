/* Strips: each strip of rows is stored as lanes, diagonals or runs, by estimated cost.
 *
 * No paper has the method as a whole. Its parts are SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske,
 * Bishop, SISC 2014), SPC5's blocks with masks (Bramas & Kus, PeerJ CS 2018), the diagonal format
 * with a mask where a diagonal has holes, and, for rows longer than a strip, the parts of evc_hyb.
 * y is in the order of rows. The comment on the layout draws the storages.
 *
 * A multiplication uses only entries of the matrix, and an Inf in x meets only entries of its own
 * column. Lanes and diagonals without an entry are masked and keep their sums. Nothing is padded
 * but diagonals in matrices that caches hold; masks leave out their zeros.
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
#include "simd_codings.h"
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

KERNEL void strips_multiply(const strips_matrix *a, const strips_vectors *v, i64 first, i64 last)
{
    block_job job;

    job.a = a;
    job.v = v;
    job.decoded = NULL;
    for (job.s = first; job.s < last; job.s++) {
        const strip *t = &a->strips[job.s];
        if (job.s + 1 < last)
            prefetch_strip(a, job.s + 1);
        job.block = BLOCK_ROWS;
        run_block(&job);
        for (i32 i = 0; i < STRIP_PARTS; i++) {
            job.block = BLOCK_PARTS + i;
            if (t->has_part[i])
                run_block(&job);
        }
    }
}

/* ---- launches ------------------------------------------------------------------------------ */

static strips_vectors strips_vectors_of(const spmv_job *job)
{
    strips_vectors v;
    v.x = (const real *)job->x;
    v.y = (real *)job->y;
    v.part = (real *)job->workspace;
    v.cols = job->layout->csr.cols;
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    v.fetches_x = X_AHEAD > 0 && fetched_columns(job->layout) > 0;
    v.fetches_into_l2 =
        PREFETCH_LEVEL == 2 || job->layout->csr.nnz > NARROW_FAR / (i64)sizeof(real);
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
    .widens = HAS_SINGLE,
};
