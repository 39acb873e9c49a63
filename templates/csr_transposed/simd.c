/* CSR-transposed: multiplies by the transpose of a CSR matrix, which stays as it is.
 *
 * y = alpha*A^T*x + beta*y, where x has a value for each row of A, and y one for each column. Row
 * after row, each nonzero's product is added to the sum of its column. Rows may have columns in
 * common, so threads need sums of their own:
 *
 *   add_products         each part of the nonzeros adds its products to its own sums
 *   add_sums             adds, for each column, the sums of the parts in their order
 *
 * Parts depend on the matrix alone, so any number of threads gives the same bits. Nothing is
 * converted: a plan only needs the span of columns of each part.
 */
#include "../prelude/base.h"
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/cost_cycles.h"
#include "../common/cost_traffic.h"
#include "../common/layout_row_search.h"
#include "build.h"
#include "layout.h"

enum {
    BLOCK_COLUMNS = 256,         /* columns whose sums are added at once, on the stack */
    CHUNK_BLOCKS = 16            /* blocks of a chunk of add_sums */
};

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *a = &layout->csr;
    const i64 sums = choose_parts(layout);
    spmv_status status;

    borrowed_layout_size(layout);
    layout->array_count = ARRAY_COUNT;
    /* Each sum is cleared, written and read again. The columns are read twice before the first
     * multiplication, once by one thread. */
    layout->cost = csr_traffic(a) + 3.0 * (f64)sums * value_bytes(a) +
                   step_cost(3.0 * (f64)a->nnz + 4.0 * (f64)a->rows + 1.5 * (f64)a->cols);
    layout->build_cost = 12.0 * (f64)a->nnz;
    status = set_workspace(layout, sums, value_bytes(a));
    return status ? status
                  : set_array(layout, PART, "part", part_count(layout), sizeof(matrix_part));
}

/* ---- products ------------------------------------------------------------------------------ */

/* Moves sums so that columns counted from `base` index the result; the first sum is of column
 * `first`. */
DEVICE real *sum_rebase(real *sum, i32 first, i32 base)
{
    return (real *)((uptr)sum - ((uptr)first + (uptr)base) * (uptr)sizeof(real));
}

/* Adds the products of nonzeros begin to end - 1, which begin in `row`. */
KERNEL void csr_transposed_products(LENGTH("rows + 1") const offset *RESTRICT row_ptr,
                                    LENGTH("nnz") const i32 *RESTRICT col_idx,
                                    LENGTH("nnz") const real *RESTRICT val,
                                    LENGTH("rows") const real *RESTRICT x,
                                    LENGTH("cols") real *RESTRICT sum, i32 base, i32 row, i64 begin,
                                    i64 end)
{
    i64 k = begin;

    for (i32 r = row; k < end; r++) {
        const i64 row_end = i64_min(row_ptr[r + 1] - base, end);
        const real xr = x[r];

        for (; k < row_end; k++)
            sum[col_idx[k]] = r_fma(val[k], xr, sum[col_idx[k]]);
    }
}

static void run_products(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const spmv_csr *a = &layout->csr;
    const row_offsets row_ptr = row_offsets_of(a);
    const matrix_part *part = (const matrix_part *)layout->array[PART].data;

    for (i64 i = first; i < last; i++) {
        const column_span span = part[i].span;
        const i64 begin = part_begin(layout, i);
        real *sum = (real *)job->workspace + part[i].place;

        for (i32 c = 0; c < span.end - span.first; c++)
            sum[c] = 0;
        csr_transposed_products(csr_row_ptr(layout), a->col_idx, csr_val(layout),
                                (const real *)job->x, sum_rebase(sum, span.first, a->base),
                                a->base, row_of_nonzero(&row_ptr, (i32)a->rows, begin, 0), begin,
                                part_begin(layout, i + 1));
    }
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* Stores y of columns first to end - 1, at most BLOCK_COLUMNS. */
KERNEL void csr_transposed_sums(const matrix_part *part, i64 parts, const real *RESTRICT sums,
                                LENGTH("cols") real *RESTRICT y, real alpha, real beta, i32 first,
                                i32 end)
{
    real total[BLOCK_COLUMNS];

    for (i32 c = first; c < end; c++)
        total[c - first] = 0;
    for (i64 i = 0; i < parts; i++) {
        const i32 from = part[i].span.first > first ? part[i].span.first : first;
        const i32 to = part[i].span.end < end ? part[i].span.end : end;
        const real *sum = sums + part[i].place;
        const i32 begin = part[i].span.first;

        for (i32 c = from; c < to; c++)
            total[c - first] = total[c - first] + sum[c - begin];
    }
    for (i32 c = first; c < end; c++)
        y_store(y, c, total[c - first], alpha, beta);
}

static i64 block_count(const spmv_layout *layout)
{
    return i64_ceil_div(layout->csr.cols, BLOCK_COLUMNS);
}

static void run_sums(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const i64 end = i64_min(last * CHUNK_BLOCKS, block_count(layout));

    for (i64 block = first * CHUNK_BLOCKS; block < end; block++)
        csr_transposed_sums((const matrix_part *)layout->array[PART].data, part_count(layout),
                            (const real *)job->workspace, (real *)job->y, (real)job->alpha,
                            (real)job->beta, (i32)(block * BLOCK_COLUMNS),
                            (i32)i64_min((block + 1) * BLOCK_COLUMNS, layout->csr.cols));
}

/* alpha is 0. */
static void scale_columns(const spmv_job *job, i64 first, i64 last)
{
    const i64 end = i64_min(last * CHUNK_BLOCKS * BLOCK_COLUMNS, job->layout->csr.cols);

    for (i64 c = first * CHUNK_BLOCKS * BLOCK_COLUMNS; c < end; c++)
        y_scale((real *)job->y, (i32)c, (real)job->beta);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const i64 chunks = i64_ceil_div(block_count(job->layout), CHUNK_BLOCKS);
    i32 n = 0;

    if (job->alpha == 0)
        return add_step(step, n, "scale_columns", scale_columns, chunks);
    n = add_step(step, n, "add_products", run_products, part_count(job->layout));
    return add_step(step, n, "add_sums", run_sums, chunks);
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = build_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .number_count = NUMBER_COUNT,
    .transposes = 1,
};
