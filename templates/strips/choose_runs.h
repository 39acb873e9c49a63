/* choose_runs.h: the cost of a strip as STRIP_RUNS, estimated from some of its rows. */
#ifndef SPMV_STRIPS_CHOOSE_RUNS_H
#define SPMV_STRIPS_CHOOSE_RUNS_H

#include "choose_sample.h"
#include "cost.h"
#include "find_rows.h"
#include "find_windows.h"

/* Consecutive rows of a sample: whole nodes of a mesh with 2, 3, 4 or 6 unknowns. */
enum { SAMPLE_GROUP = 12 };

/* The cost of a strip, or `impossible` if the matrix has fewer columns than a window. */
static i64 estimate_runs(const csr_source *a, const strip_rows *r)
{
    const i32 stride = sample_stride(r->count / SAMPLE_GROUP, r->nnz);
    window_finder finder = window_finder_of(a);
    i64 sampled_nnz = 0;
    i64 vectors = 0;
    i64 stored = 0;

    if (a->cols < RUN_WIDTH)
        return impossible;
    for (i32 i = 0; i < r->count && sampled_nnz < SAMPLE_NNZ;
         i += (i + 1) % SAMPLE_GROUP ? 1 : (stride - 1) * SAMPLE_GROUP + 1) {
        const i64 begin = row_begin(&a->row_ptr, r->first + i);
        const i64 end = row_begin(&a->row_ptr, r->first + i + 1);
        const i64 windows = count_windows(&finder, begin, end);
        vectors += i64_ceil_div(windows, RUN_WINDOWS);
        stored += i > 0 && has_same_columns(a, r->first + i) ? 0
                                                             : i64_ceil_div(windows, RUN_WINDOWS);
        sampled_nnz += end - begin;
    }
    if (!sampled_nnz)
        return impossible;
    return runs_cost(vectors * r->nnz / sampled_nnz, stored * r->nnz / sampled_nnz, r->count,
                     r->nnz);
}

#endif
