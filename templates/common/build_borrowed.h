/* build_borrowed.h: the layout of a method that multiplies the caller's CSR in place. There are no
 * arrays and nothing to build; new values take effect at once, since csr.val points to them. */
#ifndef SPMV_COMMON_BUILD_BORROWED_H
#define SPMV_COMMON_BUILD_BORROWED_H

#include "../prelude/host.h"

enum { COPY_CHUNK = 65536 };     /* nonzeros a chunk */

static spmv_status borrowed_layout_size(spmv_layout *layout)
{
    layout->array_count = 0;
    layout->borrows = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL;
    layout->workspace_bytes = 0;
    return SPMV_OK;
}

static i32 borrowed_no_steps(const spmv_layout *layout, spmv_step *step)
{
    (void)layout;
    (void)step;
    return 0;
}

static void borrowed_copy(const spmv_job *job, i64 first, i64 last)
{
    const i64 end = i64_min(last * COPY_CHUNK, job->layout->csr.nnz);
    const real *val = csr_val(job->layout);
    real *val_out = (real *)job->val_out;

    for (i64 k = first * COPY_CHUNK; k < end; k++) {
        if (job->col_idx_out)
            job->col_idx_out[k] = job->layout->csr.col_idx[k];
        if (val_out)
            val_out[k] = val[k];
    }
}

static i32 borrowed_restore_steps(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "borrowed_copy", borrowed_copy,
                    i64_ceil_div(job->layout->csr.nnz, COPY_CHUNK));
}

#endif
