/* EVC-HYB (Guo, Gropp & Olson, IJHPCA 2016) on SIMD units.
 *
 * The comment on the layout draws the arrays. The paper's work-items are lanes of vectors here:
 *
 *   ELL part    a work-item has a row of a slice, so ALIGNMENT / LANES vectors hold a slice's sums.
 *               The shorter the rows, the more of them a work-item adds: their number doubles as
 *               the length halves. Here that many slices are added at the same time:
 *               ROWS_PER_ITEM at length 1, half as many at length 2, ..., one from ROWS_PER_ITEM
 *               on, so that there is always about as much independent work.
 *   vCSR part   up to ITEMS_PER_ROW work-items share a row: a row has that many sums in flight, in
 *               vectors, while it has entries for all of them, then LANES, then the remainder. Rows
 *               of more than SPLIT_AT entries are divided among several chunks.
 *
 * Unlike the paper: y in the order of rows, by a scatter, unless the setting permuted_y leaves it
 * sorted; true lengths instead of products with padding, so that an Inf in x cannot meet a stored
 * zero; and the order of additions, which depends on the matrix and the parameters only. (In the
 * paper's Listing 2 some work-items never reach a barrier; there are no barriers here.)
 */
#include "../prelude/simd.h"
#include "../prelude/host.h"
#include "../common/cost_collected.h"
#include "../common/cost_cycles.h"
#include "../common/cost_row_endings.h"
#include "../common/cost_traffic.h"
#include "../common/simd_fetch_ahead.h"
#include "../common/simd_scale.h"
#include "../common/simd_x_at.h"
#include "build.h"
#include "build_sizes.h"
#include "layout.h"
#include "layout_chunks.h"
#include "layout_constant.h"
#include "layout_parts.h"
#include "layout_stats.h"
#include "simd_row_sum.h"

static spmv_status cpu_layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    const spmv_status status = layout_size(layout);
    const row_endings ends = row_endings_of(layout, csr->cols + 1, 1);

    /* The first term is the products. Sorting separates neighbouring rows of different lengths, so
     * that x and y are accessed out of order. */
    layout->cost = csr_traffic(csr) +
                   step_cost(1000.0 + 0.9 * collected_steps(csr->nnz) + 25.0 * ends.empty +
                             2.8 * ends.tiny + 3.8 * ends.surprising + 1.3 * far_nonzeros(csr));
    layout->build_cost = step_cost(72000.0 + 11.8 * (f64)csr->nnz + 115.0 * (f64)csr->rows +
                                   186.0 * ends.empty + 58.0 * ends.surprising +
                                   31.0 * new_memory_units(csr));
    return status;
}

enum { VECTORS = ALIGNMENT / LANES };        /* vectors of sums of a slice */

/* The operands of one multiplication, besides the structure of the matrix. */
typedef struct evc_operands {
    const real *ell_val;
    const real *vcsr_val;
    const real *xb;              /* x, indexed by columns in the caller's base */
    real *y;
    real *part;                  /* the sum of each part of a split row */
    real alpha, beta;
    bool permuted;               /* y is in the order of positions */
} evc_operands;

/* ---- y ------------------------------------------------------------------------------------- */

/* Index in y of the row at a position. */
DEVICE i32 y_index(const evc_matrix *a, const evc_operands *v, i32 position)
{
    return v->permuted ? position : a->row_of[position];
}

/* y_store for `rows` positions, a multiple of LANES, from this one on. */
DEVICE void store_rows(const evc_matrix *a, const evc_operands *v, i32 position, const real *sum,
                       i32 rows)
{
    for (i32 i = 0; i < rows; i += LANES) {
        const i32 *row = a->row_of + position + i;

        if (v->permuted)
            v_y_store(v->y, position + i, v_load(sum + i), v->alpha, v->beta);
        else if (v->beta == 0)
            v_distribute(v->y, row, v_mul(v_all(v->alpha), v_load(sum + i)));
        else
            v_distribute(v->y, row, v_fma(v_all(v->alpha), v_load(sum + i),
                                          v_mul(v_all(v->beta), v_collect(v->y, row))));
    }
}

/* ---- the ELL part -------------------------------------------------------------------------- */

/* sum plus the products of LANES entries from this one on. */
DEVICE vreal add_entries(const evc_matrix *a, const evc_operands *v, i64 from, vreal sum)
{
    if (!A_IS_ONE)
        fetch_ahead(v->ell_val + from);
    if (!X_IS_ONE)
        fetch_ahead(a->ell_col + from);
    return v_fma(A_IS_ONE ? v_all(1) : v_load(v->ell_val + from),
                 X_IS_ONE ? v_all(1) : x_at(v->xb, a->ell_col + from), sum);
}

/* Adds slices [first, last) of a bin of rows of one length. */
DEVICE void equal_slices(const evc_matrix *a, const evc_operands *v, const ell_bin *bin, i32 first,
                         i32 last)
{
    const i64 size = (i64)bin->length * ALIGNMENT;
    i32 slice = first;

    /* Several slices at once if rows are short enough; the remainder half as many at once, ... */
    UNROLL
    for (i32 rows = ROWS_PER_ITEM; rows > 0; rows /= 2) {
        const i32 end = bin->length <= ROWS_PER_ITEM / rows || rows == 1 ? last - rows : -1;

        for (; slice <= end; slice += rows) {
            const i64 at = slice_entry(bin, slice);
            const i32 position = a->vcsr_rows + slice * ALIGNMENT;
            vreal sum[ROWS_PER_ITEM * VECTORS];
            real result[ROWS_PER_ITEM * ALIGNMENT];

            UNROLL
            for (i32 i = 0; i < rows * VECTORS; i++)
                sum[i] = v_zero();
            for (i64 k = at; k < at + size; k += ALIGNMENT) {
                UNROLL
                for (i32 r = 0; r < rows; r++) {
                    UNROLL
                    for (i32 i = 0; i < ALIGNMENT; i += LANES)
                        sum[(r * ALIGNMENT + i) / LANES] =
                            add_entries(a, v, k + r * size + i, sum[(r * ALIGNMENT + i) / LANES]);
                }
            }
            UNROLL
            for (i32 i = 0; i < rows * VECTORS; i++)
                v_store(result + i * LANES, sum[i]);
            store_rows(a, v, position, result, rows * ALIGNMENT);
        }
    }
}

/* sum plus the products of the first n lanes; sum if n <= 0. */
DEVICE vreal add_first(const evc_matrix *a, const evc_operands *v, i64 from, i32 n, vreal sum)
{
    if (n >= LANES)
        return add_entries(a, v, from, sum);
    if (n > 0)
        return v_fma(A_IS_ONE ? v_first(v_all(1), n) : v_load_first(v->ell_val + from, n),
                     X_IS_ONE ? v_first(v_all(1), n)
                              : v_collect_first(v->xb, a->ell_col + from, n), sum);
    return sum;
}

/* Adds a slice of several lengths. Lengths fall from lane to lane, so that in each column the first
 * lanes have an entry and the others have none. */
DEVICE void mixed_slice(const evc_matrix *a, const evc_operands *v, const ell_bin *bin)
{
    const i32 *length = a->ell_length + bin->mixed * ALIGNMENT;
    const i32 position = a->vcsr_rows + bin->slice * ALIGNMENT;
    i32 active = ALIGNMENT;
    vreal sum[VECTORS];
    real result[ALIGNMENT];

    UNROLL
    for (i32 i = 0; i < VECTORS; i++)
        sum[i] = v_zero();
    for (i32 column = 0; column < bin->length; column++) {
        const i64 from = bin->entry + (i64)column * ALIGNMENT;
        while (length[active - 1] <= column)
            active--;
        UNROLL
        for (i32 i = 0; i < VECTORS; i++)
            sum[i] = add_first(a, v, from + i * LANES, active - i * LANES, sum[i]);
    }
    UNROLL
    for (i32 i = 0; i < VECTORS; i++)
        v_store(result + i * LANES, sum[i]);
    store_rows(a, v, position, result, ALIGNMENT);
}

/* ---- the vCSR part, and empty rows --------------------------------------------------------- */

DEVICE real vcsr_sum_of(const evc_matrix *a, const evc_operands *v, i64 begin, i64 end)
{
    if (CONSTANT)
        return row_sum_of_ones(a->vcsr_col, v->vcsr_val, v->xb, begin, end);
    return row_sum(a->vcsr_col, v->vcsr_val, v->xb, begin, end);
}

enum { EMPTY_RUN = 64 };         /* rows that are tested together */

/* Stores the sum 0 at positions [first, last). Their rows ascend. If the first and the last row of
 * a run are as far apart as their positions, all rows of the run are consecutive. */
DEVICE void empty_rows(const evc_matrix *a, const evc_operands *v, i32 first, i32 last)
{
    i32 p = first;

    while (p < last) {
        const i32 run = last - p >= EMPTY_RUN ? EMPTY_RUN : 1;
        const i32 row = y_index(a, v, p);
        const i32 rows = y_index(a, v, p + run - 1) - row == run - 1 ? run : 1;
        for (i32 r = row; r < row + rows; r++)
            y_store(v->y, r, 0, v->alpha, v->beta);
        p += rows;
    }
}

/* ---- chunks -------------------------------------------------------------------------------- */

KERNEL void evc_chunks(const evc_matrix *a, const evc_operands *v, i64 first, i64 last)
{
    const chunk_ranges range = ranges_of(a, first, last);

    for (i64 part = range.part; part < range.part_end; part++) {
        const part_range p = part_entries(a, part);
        const i64 begin = vcsr_begin(a, p.position);
        v->part[part] = vcsr_sum_of(a, v, begin + p.begin, begin + p.end);
    }
    for (i32 p = range.vcsr; p < range.vcsr_end; p++)
        y_store(v->y, y_index(a, v, p),
                vcsr_sum_of(a, v, vcsr_begin(a, p), vcsr_end(a, p)), v->alpha, v->beta);
    for (i32 slice = range.slice, b = range.bin; slice < range.slice_end; b++) {
        const i32 end = (i32)i64_min(range.slice_end, a->bin[b + 1].slice);
        if (slice < end && a->bin[b].mixed == PURE)
            equal_slices(a, v, &a->bin[b], slice, end);
        else if (slice < end)
            mixed_slice(a, v, &a->bin[b]);
        slice = (i32)i64_max(slice, end);
    }
    empty_rows(a, v, range.empty, range.empty_end);
}

/* The sum of a row's parts: up to FEW_PARTS in order; of more, WORK_GROUP_SIZE sums of every
 * WORK_GROUP_SIZE-th part, which are added by halving. This gives the bits of a work-group. */
DEVICE real parts_sum(const real *part, i64 count)
{
    real sum[WORK_GROUP_SIZE];
    const i32 sums = count > FEW_PARTS ? WORK_GROUP_SIZE : 1;

    for (i32 i = 0; i < sums; i++) {
        sum[i] = 0;
        for (i64 k = i; k < count; k += sums)
            sum[i] = sum[i] + part[k];
    }
    for (i32 width = sums / 2; width > 0; width /= 2)
        for (i32 i = 0; i < width; i++)
            sum[i] = sum[i] + sum[i + width];
    return sum[0];
}

/* Adds the parts of split rows [first, last). */
KERNEL void evc_parts(const evc_matrix *a, const evc_operands *v, i32 first, i32 last)
{
    for (i32 p = first; p < last; p++) {
        const i64 first_part = a->part_ptr[p];
        const real sum = parts_sum(v->part + first_part, a->part_ptr[p + 1] - first_part);
        y_store(v->y, y_index(a, v, p), sum, v->alpha, v->beta);
    }
}

/* ---- launches ------------------------------------------------------------------------------ */

static evc_operands evc_operands_of(const spmv_job *job)
{
    const spmv_array *array = job->layout->array;
    evc_operands v;
    v.ell_val = (const real *)array[ELL_VAL].data;
    v.vcsr_val = (const real *)array[VCSR_VAL].data;
    v.xb = x_rebase((const real *)job->x, job->layout->csr.base);
    v.y = (real *)job->y;
    v.part = (real *)job->workspace;
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    v.permuted = job->layout->permutes_y != 0;
    return v;
}

static void run_chunks(const spmv_job *job, i64 first, i64 last)
{
    const evc_matrix a = evc_view(job->layout);
    const evc_operands v = evc_operands_of(job);
    evc_chunks(&a, &v, first, last);
}

static void run_parts(const spmv_job *job, i64 first, i64 last)
{
    const evc_matrix a = evc_view(job->layout);
    const evc_operands v = evc_operands_of(job);
    evc_parts(&a, &v, (i32)first, (i32)last);
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    const evc_matrix a = evc_view(job->layout);
    i32 n = 0;

    if (job->alpha == 0)
        return scale_launches(job, step);
    n = add_step(step, n, "evc_chunks", run_chunks, chunk_count(&a));
    if (a.split_rows)
        n = add_step(step, n, "evc_parts", run_parts, a.split_rows);
    return n;
}

static const spmv_method_ops method_ops = {
    .layout_size = cpu_layout_size,
    .build_steps = build_steps,
    .update_steps = update_steps,
    .restore_steps = restore_steps,
    .launches = launches,
    .figures = FIGURES ? layout_stats : NULL,
    .settings = settings,
    .setting_count = sizeof settings / sizeof settings[0],
    .converts = 1,
    .sizing_bytes = (BOUNDARY + 1) * sizeof(i64),
};
