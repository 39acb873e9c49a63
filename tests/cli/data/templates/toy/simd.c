/* Toy: rows one after the other, in one chunk. It stands for any method that is new to the
 * generator. */
#include "../prelude/base.h"
#include "../prelude/host.h"

KERNEL void toy_rows(LENGTH("rows + 1") const offset *RESTRICT row_ptr,
                     LENGTH("nnz") const i32 *RESTRICT col_idx,
                     LENGTH("nnz") const real *RESTRICT val,
                     LENGTH("cols") const real *RESTRICT x,
                     LENGTH("rows") real *RESTRICT y,
                     real alpha, real beta, i32 base, i32 rows)
{
    const real *xb = x_rebase(x, base);

    for (i32 i = 0; i < rows; i++) {
        i32 r = i;
        real sum = 0;
        if (ORDER == 1)
            r = rows - 1 - i;
        for (i64 k = row_ptr[r] - base; k < row_ptr[r + 1] - base; k++)
            sum = r_fma(val[k], xb[col_idx[k]], sum);
        y_store(y, r, sum, alpha, beta);
    }
}

static void run(const spmv_job *job, i64 first, i64 last)
{
    const spmv_csr *a = &job->layout->csr;

    if (first < last)
        toy_rows(csr_row_ptr(job->layout), a->col_idx, csr_val(job->layout), (const real *)job->x,
                 (real *)job->y, (real)job->alpha, (real)job->beta, a->base, (i32)a->rows);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    (void)job;
    step[0].name = "toy_rows";
    step[0].run = run;
    step[0].grid = 1;
    return 1;
}

static i32 no_steps(const spmv_layout *layout, spmv_step *step)
{
    (void)layout;
    (void)step;
    return 0;
}

static i32 no_restore(const spmv_job *job, spmv_step *step)
{
    (void)job;
    (void)step;
    return 0;
}

static spmv_status layout_size(spmv_layout *layout)
{
    layout->cost = (f64)layout->csr.nnz * LANES * DEPTH;
    layout->array_count = 0;
    layout->workspace_bytes = 0;
    layout->borrows = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL;
    return SPMV_OK;
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = no_steps,
    .update_steps = no_steps,
    .restore_steps = no_restore,
    .launches = launches,
};
