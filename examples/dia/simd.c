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
 * a padded 0 times an Inf in x would be NaN. Repeated entries are added up. The caller's CSR stays
 * in use, for new values and to be restored. A chunk is a row; TILE_ROWS sums lie on the stack.
 */
#include "../common/build_borrowed.h"
#include "../common/cost_cycles.h"
#include "../common/simd_scale.h"

enum { MASK, VAL, ARRAY_COUNT };             /* spmv_layout.array */
enum { MOST_DIAGONALS = 15, COUNT = 15, TILE_ROWS = 512 };

/* The index of a diagonal; if it is new, the number of diagonals. */
static i32 find_diagonal(const spmv_layout *layout, i64 diagonal)
{
    i32 d = 0;

    while (d < layout->number[COUNT] && layout->number[d] != diagonal)
        d++;
    return d;
}

/* Declines more than MOST_DIAGONALS diagonals. Places without an entry cost as much as others. */
static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *a = &layout->csr;
    const row_offsets row_ptr = row_offsets_of(a);

    for (i64 r = 0; r < a->rows; r++)
        for (i64 k = row_begin(&row_ptr, r); k < row_begin(&row_ptr, r + 1); k++) {
            const i32 d = find_diagonal(layout, a->col_idx[k] - a->base - r);
            if (d == MOST_DIAGONALS)
                return SPMV_UNSUPPORTED;
            layout->number[d] = a->col_idx[k] - a->base - r;
            layout->number[COUNT] = i64_max(layout->number[COUNT], d + 1);
        }
    const i64 places = layout->number[COUNT] * a->rows;
    borrowed_layout_size(layout);
    layout->array_count = ARRAY_COUNT;
    layout->value_arrays = 1 << MASK | 1 << VAL;
    layout->cost = (f64)(places + a->rows + a->cols) * value_bytes(a) + step_cost((f64)places);
    layout->build_cost = step_cost(20.0 * (f64)a->nnz);
    const spmv_status status = set_array(layout, MASK, "mask", a->rows, sizeof(u32));
    return status ? status : set_array(layout, VAL, "val", places, value_bytes(a));
}

static void fill_rows(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const row_offsets row_ptr = row_offsets_of(&layout->csr);
    u32 *mask = (u32 *)layout->array[MASK].data;
    real *val = (real *)layout->array[VAL].data;

    for (i64 r = first; r < last; r++) {
        mask[r] = 0;
        for (i64 d = 0; d < layout->number[COUNT]; d++)
            val[d * layout->csr.rows + r] = 0;
        for (i64 k = row_begin(&row_ptr, r); k < row_begin(&row_ptr, r + 1); k++) {
            const i32 d = find_diagonal(layout, layout->csr.col_idx[k] - layout->csr.base - r);
            val[d * layout->csr.rows + r] += csr_val(layout)[k];
            mask[r] |= 1u << d;
        }
    }
}

static i32 fill_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, "fill_rows", fill_rows, layout->csr.rows);
}

static void multiply_rows(const spmv_job *job, i64 first, i64 last)
{
    const spmv_layout *layout = job->layout;
    const u32 *mask = (const u32 *)layout->array[MASK].data;
    const real *val = (const real *)layout->array[VAL].data;
    const real *x = (const real *)job->x;
    const i64 rows = layout->csr.rows;

    for (i64 begin = first; begin < last; begin += TILE_ROWS) {
        const i64 end = i64_min(begin + TILE_ROWS, last);
        real sum[TILE_ROWS] = {0};
        for (i64 d = 0; d < layout->number[COUNT]; d++) {
            const i64 diagonal = layout->number[d];
            const i64 stop = i64_min(end, layout->csr.cols - diagonal);
            for (i64 r = i64_max(begin, -diagonal); r < stop; r++) {
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
    return job->alpha == 0 ? scale_launches(job, step)
                           : add_step(step, 0, "dia_rows", multiply_rows, job->layout->csr.rows);
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size, .build_steps = fill_steps, .update_steps = fill_steps,
    .restore_steps = borrowed_restore_steps, .launches = launches,
    .number_count = COUNT + 1, .converts = 1,
};
