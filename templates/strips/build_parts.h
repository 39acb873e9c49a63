/* build_parts.h: writes a part of a split row. */
#ifndef SPMV_STRIPS_BUILD_PARTS_H
#define SPMV_STRIPS_BUILD_PARTS_H

#include "build_output.h"
#include "build_runs.h"
#include "cost.h"
#include "find_rows.h"
#include "find_values.h"
#include "find_windows.h"
#include "layout.h"
#include "layout_runs.h"

/* Writes a part as runs if its first entries cost less as runs, else with columns as in CSR.
 * Returns the number of segments of runs; 0 for columns as in CSR. */
static i32 build_part(const csr_source *a, const part_range *p, const strip_output *to,
                      value_output values)
{
    const i64 nnz = p->end - p->begin;
    const i64 sampled_nnz = i64_min(nnz, SAMPLE_NNZ);
    window_finder finder = window_finder_of(a);
    const i64 windows =
        a->cols < RUN_WIDTH ? 0 : count_windows(&finder, p->begin, p->begin + sampled_nnz);
    const i64 vectors = i64_ceil_div(windows, RUN_WINDOWS);
    i32 segments = -1;

    if (windows > 0 && runs_cost(vectors, vectors, 1, sampled_nnz) <
                           long_rows_cost(1, sampled_nnz, sampled_nnz)) {
        run_writer writer = run_writer_of(a, to->index + p->index, 2 * nnz);
        segments = write_runs(&writer, p->begin, p->end);
    }
    for (i64 k = p->begin; k < p->end && segments < 0; k++)
        to->index[p->index + k - p->begin] = a->col_idx[k] - a->base;
    write_values_in_order(values);
    return segments < 0 ? 0 : segments;
}

#endif
