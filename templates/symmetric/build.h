/* build.h: chooses the storage of a symmetric matrix, and lists the steps that build it. */
#ifndef SPMV_SYMMETRIC_BUILD_H
#define SPMV_SYMMETRIC_BUILD_H

#include "build_diagonals.h"
#include "build_runs.h"

/* Runs need few rows without common columns, which diagonals have. So diagonals come first. */
static spmv_status layout_size(spmv_layout *layout)
{
    spmv_status status;

    layout->array_count = ARRAY_COUNT;
    layout->value_arrays = 1 << VAL;
    layout->borrows = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX;
    status = size_diagonals(layout);
    return status == SPMV_UNSUPPORTED ? size_runs(layout) : status;
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    return layout->number[NUMBER_STORAGE] == BY_RUNS ? runs_build_steps(layout, step)
                                                     : diagonals_build_steps(layout, step);
}

static i32 update_steps(const spmv_layout *layout, spmv_step *step)
{
    const half_matrix a = half_view(layout);

    return a.storage == BY_RUNS ? add_step(step, 0, "update_runs", update_runs, a.blocks)
                                : add_step(step, 0, "update_blocks", update_blocks, a.blocks);
}

/* Gives the columns of rows back, by the caller's own. */
static void restore_columns(const spmv_job *job, i64 first, i64 last)
{
    const spmv_csr *csr = &job->layout->csr;
    const row_offsets row_ptr = row_offsets_of(csr);
    const i64 end = row_begin(&row_ptr, i64_min(last * BLOCK_ROWS, csr->rows));

    for (i64 k = row_begin(&row_ptr, i64_min(first * BLOCK_ROWS, csr->rows)); k < end; k++)
        job->col_idx_out[k] = csr->col_idx[k];
}

static i32 restore_steps(const spmv_job *job, spmv_step *step)
{
    const half_matrix a = half_view(job->layout);
    i32 n = 0;

    if (job->col_idx_out)
        n = add_step(step, n, "restore_columns", restore_columns, a.blocks);
    if (job->val_out && a.storage == BY_RUNS)
        n = add_step(step, n, "restore_runs", restore_runs, a.blocks);
    if (job->val_out && a.storage == BY_DIAGONALS)
        n = add_step(step, n, "restore_rows", restore_rows, a.blocks);
    return n;
}

#endif
