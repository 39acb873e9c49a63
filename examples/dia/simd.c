/* DIA: diagonal storage, for matrices of at most MOST_DIAGONALS diagonals. VAL has a place for each
 * row of each diagonal, so columns need not be stored: number[d] is column - row on diagonal d.
 * Diagonals are in the order in which rows first use them.
 *
 *     | a b . . |     number   0  1  -2  and, at COUNT, 3
 *     | . c d . |     VAL      a  c  .  h  |  b  d  f  .  |  .  .  e  g
 *     | e . . f |     MASK     011  011  110  101       (the lowest bit is diagonal 0)
 *     | . g . h |
 *
 * Bit d of MASK says whether a row has an entry on diagonal d. Other places of VAL must not count:
 * a padded 0 times an Inf in x would be NaN. The caller's CSR stays in use, for new values and to
 * be restored.
 */
#include "../prelude/host.h"
#include "../common/build_borrowed.h"
#include "../common/cost_cycles.h"
#include "../common/simd_scale.h"

enum { MOST_DIAGONALS = 15, COUNT = 15, MOST_PADDING = 3 };

enum { MASK, VAL, ARRAY_COUNT };             /* spmv_layout.array */

/* The index of a diagonal; if it is new, the number of diagonals. */
static i32 find_diagonal(const spmv_layout *layout, i64 diagonal)
{
    i32 d = 0;

    while (d < layout->number[COUNT] && layout->number[d] != diagonal)
        d++;
    return d;
}

/* Declines more than MOST_DIAGONALS diagonals, VAL of more than MOST_PADDING times the nonzeros,
 * and repeated entries. */
static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *a = &layout->csr;
    const row_offsets row_ptr = row_offsets_of(a);

    for (i64 r = 0; r < a->rows; r++) {
        u32 mask = 0;
        for (i64 k = row_begin(&row_ptr, r); k < row_begin(&row_ptr, r + 1); k++) {
            const i64 diagonal = a->col_idx[k] - a->base - r;
            const i32 d = find_diagonal(layout, diagonal);
            if (d == MOST_DIAGONALS || mask >> d & 1)
                return SPMV_UNSUPPORTED;
            mask |= 1u << d;
            layout->number[d] = diagonal;
            layout->number[COUNT] = i64_max(layout->number[COUNT], d + 1);
        }
    }
    const i64 places = layout->number[COUNT] * a->rows;
    if (places > MOST_PADDING * a->nnz)
        return SPMV_UNSUPPORTED;
    borrowed_layout_size(layout);
    layout->array_count = ARRAY_COUNT;
    layout->value_arrays = 1 << MASK | 1 << VAL;
    layout->cost = (f64)(places + a->rows + a->cols) * value_bytes(a) + (f64)a->rows * 4 +
                   step_cost((f64)places);
    layout->build_cost = step_cost(20.0 * (f64)a->nnz);
    const spmv_status status = set_array(layout, MASK, "mask", a->rows, sizeof(u32));
    return status ? status : set_array(layout, VAL, "val", places, value_bytes(a));
}

static void fill_rows(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const spmv_csr *a = &layout->csr;
    const row_offsets row_ptr = row_offsets_of(a);
    u32 *mask = (u32 *)layout->array[MASK].data;
    real *val = (real *)layout->array[VAL].data;

    for (i64 r = first * CHUNK_ROWS; r < i64_min(last * CHUNK_ROWS, a->rows); r++) {
        mask[r] = 0;
        for (i64 d = 0; d < layout->number[COUNT]; d++)
            val[d * a->rows + r] = 0;
        for (i64 k = row_begin(&row_ptr, r); k < row_begin(&row_ptr, r + 1); k++) {
            const i32 d = find_diagonal(layout, a->col_idx[k] - a->base - r);
            val[d * a->rows + r] = csr_val(layout)[k];
            mask[r] |= 1u << d;
        }
    }
}

static i32 fill_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, "fill_rows", fill_rows, i64_ceil_div(layout->csr.rows, CHUNK_ROWS));
}

static void multiply_rows(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const i64 rows = layout->csr.rows;
    const u32 *mask = (const u32 *)layout->array[MASK].data;
    const real *val = (const real *)layout->array[VAL].data;
    const real *x = (const real *)job->x;

    for (i64 begin = first * CHUNK_ROWS; begin < i64_min(last * CHUNK_ROWS, rows);
         begin += CHUNK_ROWS) {
        const i64 end = i64_min(begin + CHUNK_ROWS, rows);
        real sum[CHUNK_ROWS] = {0};
        for (i64 d = 0; d < layout->number[COUNT]; d++) {
            const i64 diagonal = layout->number[d];
            const i64 last_row = i64_min(end, layout->csr.cols - diagonal);
            for (i64 r = i64_max(begin, -diagonal); r < last_row; r++) {
                const real next = r_fma(val[d * rows + r], x[r + diagonal], sum[r - begin]);
                sum[r - begin] = mask[r] >> d & 1 ? next : sum[r - begin];
            }
        }
        for (i64 r = begin; r < end; r++)
            y_store((real *)job->y, (i32)r, sum[r - begin], (real)job->alpha, (real)job->beta);
    }
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    if (job->alpha == 0)
        return scale_launches(job, step);
    return add_step(step, 0, "dia_rows", multiply_rows,
                    i64_ceil_div(job->layout->csr.rows, CHUNK_ROWS));
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = fill_steps,
    .update_steps = fill_steps,
    .restore_steps = borrowed_restore_steps,
    .launches = launches,
    .number_count = COUNT + 1,
    .converts = 1,
};
