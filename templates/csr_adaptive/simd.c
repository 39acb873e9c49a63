/* CSR-Adaptive (Greathouse & Daga, SC 2014; Daga & Greathouse, HiPC 2015) on SIMD units.
 *
 * The comment on the layout draws the row blocks. A block, which has a work-group in the papers, is
 * one index of the launch's grid here. A buffer on the stack, which stays in the first-level cache,
 * replaces local memory, and the lanes of a vector replace work-items:
 *
 *   CSR-Stream   the products of all nonzeros of the block go to the buffer, in vectors that ignore
 *                where rows end. Rows are then added from there: many rows LANES at a time, one
 *                lane for each (the papers' scalar reduction); few rows one at a time, by the whole
 *                vector (their logarithmic reduction).
 *   CSR-Vector   the whole vector adds one row after the other.
 *   CSR-VectorL  a part of one row; csr_adaptive_long_rows adds the parts in order.
 *
 * Unlike the papers: the order of additions depends on the matrix and the parameters only, and
 * SCALAR_ROWS is the number of rows from which a block uses the scalar reduction.
 */
#include "../prelude/simd.h"
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/cost_cycles.h"
#include "../common/cost_row_endings.h"
#include "../common/cost_traffic.h"
#include "../common/simd_fetch_ahead.h"
#include "../common/simd_fetch_x.h"
#include "../common/simd_row_sum.h"
#include "../common/simd_scale.h"
#include "build.h"
#include "layout.h"
#include "layout_stats.h"

static spmv_status cpu_layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const spmv_status status = layout_size(layout);
    const row_endings ends = row_endings_of(layout, LANES, LANES);

    /* CSR-Stream stores and loads every product. LANES short rows are added at once; longer rows
     * one by one, and their ends are mispredicted where lengths vary. */
    layout->cost = csr_traffic(csr) +
                   step_cost((f64)csr->nnz * (0.85 + 2.5 / (f64)LANES) + 13.6 * (f64)csr->rows +
                             23.0 * ends.full + 24.0 * ends.empty +
                             50.0 / (f64)LANES * ends.surprising + 0.7 * far_nonzeros(csr));
    layout->build_cost = step_cost(29.0 * (f64)csr->rows + 25.0 * ends.surprising +
                                   141.0 * ends.empty);
    return status;
}

static void build_row_blocks(const spmv_job *job, i64 first, i64 last)
{
    i32 *row_block = (i32 *)job->layout->array[ROW_BLOCK].data;
    i64 *long_block = (i64 *)job->layout->array[LONG_BLOCK].data;
    packed_block block = no_block(job->layout);
    i64 b = 0;

    (void)first;
    (void)last;
    for (; next_block(&block); b++) {
        row_block[b] = block.row;
        if (block.part == 0)
            *long_block++ = b;
    }
    row_block[b] = block.rows;
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    (void)layout;
    return add_step(step, 0, "build_row_blocks", build_row_blocks, 1);
}

/* The operands of one multiplication, besides the structure of the matrix. */
typedef struct adaptive_operands {
    const real *val;
    const real *xb;              /* x, indexed by columns in the caller's base */
    real *y;
    real *part_sum;              /* [blocks]: sums of the blocks that are parts of a long row */
    real alpha, beta;
    i64 fetched;                 /* nonzeros whose x is prefetched */
} adaptive_operands;

/* ---- CSR-Stream ---------------------------------------------------------------------------- */

/* product[i] = val[begin + i] * its x, for all nonzeros of a block, followed by at least LANES
 * zeros, so that a whole vector can be read from the start of any row. */
DEVICE void fill_products(const adaptive_matrix *a, const adaptive_operands *v, i64 begin,
                          i32 count, real *product)
{
    const real *val = v->val + begin;
    const i32 *col = a->col_idx + begin;
    const real *xb = v->xb;
    i32 i = 0;

    for (; i + LANES <= count; i += LANES) {
        fetch_ahead(val + i);
        fetch_ahead(col + i);
        if (X_AHEAD > 0)
            fetch_x(xb, col + i, LANES, v->fetched - begin - i);
        v_store(product + i, v_mul(v_load(val + i), x_at(xb, col + i)));
    }
    if (i < count) {
        const i32 rest = count - i;
        v_store(product + i,
                v_mul(v_load_first(val + i, rest), v_collect_first(xb, col + i, rest)));
        i += LANES;
    }
    v_store(product + i, v_zero());
}

/* The sum of `count` products, LANES at a time. */
DEVICE real product_sum(const real *product, i32 count)
{
    vreal sum = v_zero();
    i32 i = 0;

    for (; i + LANES <= count; i += LANES)
        sum = v_add(sum, v_load(product + i));
    return v_sum(v_add(sum, v_first(v_load(product + i), count - i)));
}

/* Sums of the LANES rows from row_ptr on, none longer than LANES: one vector for each row, summed
 * together, so that no branch depends on the lengths. product[0] belongs to nonzero `begin`. */
DEVICE vreal short_row_sums(const offset *row_ptr, i64 begin, const real *product)
{
    vreal part[LANES];

    UNROLL
    for (i32 i = 0; i < LANES; i++)
        part[i] = v_first(v_load(product + (row_ptr[i] - begin)),
                          (i32)(row_ptr[i + 1] - row_ptr[i]));
    return v_sums(part);
}

/* Length of the longest of the LANES rows from row_ptr on. */
DEVICE i32 longest_row(const offset *row_ptr)
{
    i32 longest = 0;

    UNROLL
    for (i32 i = 0; i < LANES; i++) {
        const i32 length = (i32)(row_ptr[i + 1] - row_ptr[i]);
        longest = longest > length ? longest : length;
    }
    return longest;
}

/* Adds rows [row, end) one after the other. */
DEVICE void add_rows(const offset *row_ptr, const adaptive_operands *v, i32 row, i32 end,
                     i64 begin, const real *product)
{
    for (i32 r = row; r < end; r++)
        y_store(v->y, r, product_sum(product + (row_ptr[r] - begin),
                                     (i32)(row_ptr[r + 1] - row_ptr[r])),
                v->alpha, v->beta);
}

/* Reads row pointers by their type instead of through row_offsets, since rows are short and
 * many. */
DEVICE void stream_block(const adaptive_matrix *a, const offset *row_ptr,
                         const adaptive_operands *v, i32 row, i32 end)
{
    const i64 begin = row_ptr[row];          /* in the caller's base */
    real product[NNZ_PER_WG + 2 * LANES];

    fill_products(a, v, row_begin(&a->row_ptr, row), (i32)(row_ptr[end] - begin), product);
    if (end - row >= SCALAR_ROWS) {
        for (; row + LANES <= end; row += LANES) {
            if (longest_row(row_ptr + row) <= LANES)
                v_y_store(v->y, row, short_row_sums(row_ptr + row, begin, product), v->alpha,
                          v->beta);
            else
                add_rows(row_ptr, v, row, row + LANES, begin, product);
        }
    }
    add_rows(row_ptr, v, row, end, begin, product);
}

/* ---- all kinds ----------------------------------------------------------------------------- */

DEVICE void vector_block(const adaptive_matrix *a, const adaptive_operands *v, i32 row, i32 end)
{
    for (i32 r = row; r < end; r++)
        y_store(v->y, r, row_sum(a->col_idx, v->val, v->xb, row_begin(&a->row_ptr, r),
                                 row_begin(&a->row_ptr, r + 1)), v->alpha, v->beta);
}

/* The first block of the row of which `block` is a part. */
DEVICE i64 first_part(const adaptive_matrix *a, i64 block)
{
    i64 low = 0;
    i64 high = block;

    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (a->row_block[middle] < a->row_block[block])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

DEVICE void vector_l_block(const adaptive_matrix *a, const adaptive_operands *v, i64 block)
{
    const i32 row = a->row_block[block];
    const i64 row_end = row_begin(&a->row_ptr, row + 1);
    const i64 begin =
        row_begin(&a->row_ptr, row) + (block - first_part(a, block)) * LONG_ROW_PART;

    v->part_sum[block] = row_sum(a->col_idx, v->val, v->xb, begin,
                                 i64_min(begin + LONG_ROW_PART, row_end));
}

KERNEL void csr_adaptive_blocks(const adaptive_matrix *a, const offset *row_ptr,
                                const adaptive_operands *v, i64 first, i64 last)
{
    for (i64 block = first; block < last; block++) {
        const i32 row = a->row_block[block];
        const i32 end = a->row_block[block + 1];
        const i32 kind = block_kind(a, block);

        if (kind == KIND_STREAM)
            stream_block(a, row_ptr, v, row, end);
        else if (kind == KIND_VECTOR)
            vector_block(a, v, row, end);
        else
            vector_l_block(a, v, block);
    }
}

/* Adds the parts of long rows [first, last), in order. */
KERNEL void csr_adaptive_long_rows(const adaptive_matrix *a, const adaptive_operands *v, i64 first,
                                   i64 last)
{
    for (i64 i = first; i < last; i++) {
        const i64 block = a->long_block[i];
        const i32 row = a->row_block[block];
        real sum = v->part_sum[block];

        for (i64 b = block + 1; b < a->blocks && a->row_block[b] == row; b++)
            sum = sum + v->part_sum[b];
        y_store(v->y, row, sum, v->alpha, v->beta);
    }
}

/* ---- launches ------------------------------------------------------------------------------ */

static adaptive_operands adaptive_operands_of(const spmv_job *job)
{
    adaptive_operands v;
    v.val = csr_val(job->layout);
    v.xb = x_rebase((const real *)job->x, job->layout->csr.base);
    v.y = (real *)job->y;
    v.part_sum = (real *)job->workspace;
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    v.fetched = X_AHEAD > 0 ? fetched_columns(job->layout) : 0;
    return v;
}

static void run_blocks(const spmv_job *job, i64 first, i64 last)
{
    const adaptive_matrix a = adaptive_view(job->layout);
    const adaptive_operands v = adaptive_operands_of(job);
    csr_adaptive_blocks(&a, csr_row_ptr(job->layout), &v, first, last);
}

static void run_long_rows(const spmv_job *job, i64 first, i64 last)
{
    const adaptive_matrix a = adaptive_view(job->layout);
    const adaptive_operands v = adaptive_operands_of(job);
    csr_adaptive_long_rows(&a, &v, first, last);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_step(step, n, "csr_adaptive_blocks", run_blocks, job->layout->number[NUMBER_BLOCKS]);
    if (job->layout->number[NUMBER_LONG_ROWS])
        n = add_step(step, n, "csr_adaptive_long_rows", run_long_rows,
                     job->layout->number[NUMBER_LONG_ROWS]);
    return n;
}

static i32 layout_stats(const spmv_layout *layout, spmv_figure *figure)
{
    return block_stats(layout, figure, SCALAR_ROWS);
}

static const spmv_method_ops method_ops = {
    .layout_size = cpu_layout_size,
    .build_steps = build_steps,
    .update_steps = borrowed_no_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
};
