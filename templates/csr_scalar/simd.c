/* CSR-scalar: one row at a time, one nonzero after the other.
 *
 * A baseline of the speculative paper, 4.3 (Bell & Garland, SC 2009: the scalar kernel, one
 * work-item a row). Nothing is converted. Additions are in the order of storage, so the result
 * equals the result of a plain loop.
 *
 * Beyond that kernel: alpha, beta and empty rows are handled as in all methods, and chunks of rows
 * have equal weights of rows plus nonzeros, so that one long row does not leave the other threads
 * idle.
 */
#include "../prelude/base.h"
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/cost_cycles.h"
#include "../common/cost_row_endings.h"
#include "../common/cost_traffic.h"
#include "../common/layout_row_chunks.h"
#include "../common/simd_columns_csr.h"
#include "../common/simd_scale.h"

/* Nonzeros of a matrix whose row ends a CPU predicts, so that it multiplies rows side by side. */
enum { FEW_NONZEROS = 200 };

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *a = &layout->csr;
    const row_endings ends = row_endings_of(layout, a->cols + 1, 1);
    const i64 few = i64_min(a->nnz, FEW_NONZEROS);

    /* One product at a time; in a long row each waits for the one before. The first multiplications
     * mispredict more branches, which is part of the cost of building. */
    layout->cost = csr_traffic(a) +
                   step_cost(50.0 + 3.8 * (f64)a->nnz - 2.0 * (f64)few + 1.8 * (f64)a->rows +
                             7.1 * ends.deep_nnz + 56.0 * mispredicted(&ends));
    layout->build_cost = step_cost(18.0 * mispredicted(&ends) + 10.0 * ends.uneven);
    return borrowed_layout_size(layout);
}

/* beta is 0 as a constant, or any number. k goes on from row to row: in short rows, reading where a
 * row begins is a good part of the work. */
INLINED void multiply_rows(const offset *row_ptr, const i32 *col_idx, const real *val,
                           const real *xb, real *y, real alpha, real beta, i64 base, i32 first_row,
                           i32 end_row)
{
    i64 k = row_ptr[first_row] - base;

    for (i32 r = first_row; r < end_row; r++) {
        const i64 end = row_ptr[r + 1] - base;
        real sum = 0;
        for (; k < end; k++)
            sum = r_fma(val[k], xb[col_idx[k]], sum);
        y_store(y, r, sum, alpha, beta);
    }
}

KERNEL void csr_scalar_rows(LENGTH("rows + 1") const offset *RESTRICT row_ptr,
                            LENGTH("nnz") const i32 *RESTRICT col_idx,
                            LENGTH("nnz") const real *RESTRICT val,
                            LENGTH("cols") const real *RESTRICT x,
                            LENGTH("rows") real *RESTRICT y,
                            real alpha, real beta, i32 base, i32 first_row, i32 end_row)
{
    const real *xb = x_rebase(x, base);

    if (beta == 0)
        multiply_rows(row_ptr, col_idx, val, xb, y, alpha, 0, base, first_row, end_row);
    else
        multiply_rows(row_ptr, col_idx, val, xb, y, alpha, beta, base, first_row, end_row);
}

static void run_rows(const spmv_job *job, i64 first, i64 last)
{
    const spmv_csr *a = &job->layout->csr;
    const row_offsets row_ptr = row_offsets_of(a);
    const i32 begin = row_chunk_begin(&row_ptr, (i32)a->rows, first);
    const i32 end = row_chunk_begin(&row_ptr, (i32)a->rows, last);

    csr_scalar_rows(csr_row_ptr(job->layout), a->col_idx, csr_val(job->layout),
                    (const real *)job->x, (real *)job->y, (real)job->alpha, (real)job->beta,
                    a->base, begin, end);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    if (job->alpha == 0)
        return scale_launches(job, step);
    return add_step(step, 0, "csr_scalar_rows", run_rows, row_chunk_count(job->layout));
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = borrowed_no_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .launches_columns = SEVERAL_VECTORS ? csr_columns_launches : NULL,
};
