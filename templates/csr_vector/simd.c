/* CSR-vector: one row at a time, LANES nonzeros at once.
 *
 * A baseline of some papers (Bell & Garland, SC 2009: the vector kernel, one vector of
 * work-items a row). Nothing is converted. Each row is summed in ACCUMULATORS vectors, which are
 * added in a fixed order at the row's end.
 *
 * Beyond that kernel: alpha, beta and empty rows are handled as in all methods; a row of fewer than
 * SCALAR_BELOW nonzeros is added one by one, which is faster than filling a vector; and chunks of
 * rows have equal weights of rows plus nonzeros, so that one long row does not leave the other
 * threads idle.
 */
#include "../prelude/simd.h"
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/cost_collected.h"
#include "../common/cost_cycles.h"
#include "../common/cost_row_endings.h"
#include "../common/cost_traffic.h"
#include "../common/layout_row_chunks.h"
#include "../common/simd_columns_csr.h"
#include "../common/simd_row_sum.h"
#include "../common/simd_scale.h"

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *a = &layout->csr;
    const row_endings ends = row_endings_of(layout, i64_max(SCALAR_BELOW, 1), LANES);

    /* Short rows take one product at a time, the others whole vectors. The first multiplications
     * mispredict more branches, which is part of the cost of building. */
    layout->cost = csr_traffic(a) +
                   step_cost(9.5 * (f64)a->rows + 6.4 * ends.short_nnz + 26.0 * ends.full +
                             collected_steps((i64)ends.vectors * LANES) +
                             50.0 * mispredicted(&ends) + 0.3 * far_nonzeros(a));
    layout->build_cost = step_cost(27.0 * mispredicted(&ends) + 8.0 * ends.uneven);
    return borrowed_layout_size(layout);
}

KERNEL void csr_vector_rows(LENGTH("rows + 1") const offset *RESTRICT row_ptr,
                            LENGTH("nnz") const i32 *RESTRICT col_idx,
                            LENGTH("nnz") const real *RESTRICT val,
                            LENGTH("cols") const real *RESTRICT x,
                            LENGTH("rows") real *RESTRICT y,
                            real alpha, real beta, i32 base, i32 first_row, i32 end_row)
{
    const real *xb = x_rebase(x, base);

    for (i32 r = first_row; r < end_row; r++) {
        const i64 begin = row_ptr[r] - base;
        const i64 end = row_ptr[r + 1] - base;
        real sum = 0;

        if (end - begin < SCALAR_BELOW) {
            for (i64 k = begin; k < end; k++)
                sum = r_fma(val[k], xb[col_idx[k]], sum);
        } else {
            sum = row_sum(col_idx, val, xb, begin, end);
        }
        y_store(y, r, sum, alpha, beta);
    }
}

static void run_rows(const spmv_job *job, i64 first, i64 last)
{
    const spmv_csr *a = &job->layout->csr;
    const row_offsets row_ptr = row_offsets_of(a);
    const i32 begin = row_chunk_begin(&row_ptr, (i32)a->rows, first);
    const i32 end = row_chunk_begin(&row_ptr, (i32)a->rows, last);

    csr_vector_rows(csr_row_ptr(job->layout), a->col_idx, csr_val(job->layout),
                    (const real *)job->x, (real *)job->y, (real)job->alpha, (real)job->beta,
                    a->base, begin, end);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    if (job->alpha == 0)
        return scale_launches(job, step);
    return add_step(step, 0, "csr_vector_rows", run_rows, row_chunk_count(job->layout));
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = borrowed_no_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .launches_columns = SEVERAL_VECTORS ? csr_columns_launches : NULL,
};
