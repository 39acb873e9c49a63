/* Full diagonals: a format that declines most matrices.
 *
 * The method takes matrices of at most MOST_DIAGONALS full diagonals, with ascending columns in
 * each row. VAL has the values diagonal by diagonal, a place for each row; OFFSET has column - row
 * of each diagonal, ascending. row_ptr is borrowed.
 */
#include "../prelude/base.h"
#include "../prelude/host.h"
#include "../common/simd_scale.h"

enum { MOST_DIAGONALS = 64 };

enum { OFFSET, VAL, ARRAY_COUNT };           /* spmv_layout.array */

enum { NUMBER_DIAGONALS };                   /* spmv_layout.number */

typedef struct diagonals_matrix {
    const i32 *offsets;
    real *val;
    i64 rows, cols;
    i32 count;
} diagonals_matrix;

static diagonals_matrix view(const spmv_layout *layout)
{
    diagonals_matrix a;
    a.offsets = (const i32 *)layout->array[OFFSET].data;
    a.val = (real *)layout->array[VAL].data;
    a.rows = layout->csr.rows;
    a.cols = layout->csr.cols;
    a.count = (i32)layout->number[NUMBER_DIAGONALS];
    return a;
}

/* Inserts a diagonal into an ascending list of `count`; returns the new count. */
static i32 insert(i32 *offsets, i32 count, i32 wanted)
{
    i32 at = count;

    for (i32 i = 0; i < count; i++)
        if (offsets[i] == wanted)
            return count;
    for (; at > 0 && offsets[at - 1] > wanted; at--)
        offsets[at] = offsets[at - 1];
    offsets[at] = wanted;
    return count + 1;
}

/* Lists the diagonals. Returns their number, or -1 if they are too many, or if a row is not in
 * order. */
static i32 find_diagonals(const spmv_layout *layout, i32 *offsets)
{
    const spmv_csr *csr = &layout->csr;
    const offset *row_ptr = csr_row_ptr(layout);
    i32 count = 0;

    for (i64 r = 0; r < csr->rows; r++) {
        const i64 begin = (i64)row_ptr[r] - csr->base;
        const i64 end = (i64)row_ptr[r + 1] - csr->base;
        for (i64 k = begin; k < end; k++) {
            if (k > begin && csr->col_idx[k] <= csr->col_idx[k - 1])
                return -1;
            count = insert(offsets, count, (i32)(csr->col_idx[k] - csr->base - r));
            if (count > MOST_DIAGONALS)
                return -1;
        }
    }
    return count;
}

/* Entries of full diagonals. */
static i64 count_entries(const spmv_csr *csr, const i32 *offsets, i32 count)
{
    i64 entries = 0;

    for (i32 d = 0; d < count; d++)
        entries += i64_min(csr->rows, csr->cols - offsets[d]) - i64_max(0, -(i64)offsets[d]);
    return entries;
}

static spmv_status layout_size(spmv_layout *layout)
{
    const spmv_csr *csr = &layout->csr;
    i32 *offsets = (i32 *)layout->scratch;
    const i32 count = find_diagonals(layout, offsets);
    spmv_status status;

    if (count < 0 || count_entries(csr, offsets, count) != csr->nnz)
        return SPMV_UNSUPPORTED;
    layout->number[NUMBER_DIAGONALS] = count;
    layout->array_count = ARRAY_COUNT;
    layout->borrows = SPMV_BORROWS_ROW_PTR;
    layout->value_arrays = 1 << VAL;
    layout->cost = (f64)csr->nnz * sizeof(real) + (f64)(csr->rows + csr->cols) * sizeof(real);
    layout->build_cost = (f64)csr->nnz * 100;
    status = set_array(layout, OFFSET, "offset", count, sizeof(i32));
    if (!status)
        status = set_build_scratch(layout, MOST_DIAGONALS + 1, sizeof(i32));
    return status ? status : set_array(layout, VAL, "val", count * csr->rows, sizeof(real));
}

/* ---- build, update, restore ---------------------------------------------------------------- */

static void build_offsets(const spmv_job *job, i64 first, i64 last)
{
    i32 *offsets = (i32 *)job->workspace;
    i32 *to = (i32 *)job->layout->array[OFFSET].data;
    const i32 count = find_diagonals(job->layout, offsets);

    (void)first;
    (void)last;
    for (i32 d = 0; d < count; d++)
        to[d] = offsets[d];
}

/* Copies the rows of chunks [first, last): values from CSR, or columns and values back to CSR. */
static void move_rows(const spmv_job *job, i64 first, i64 last, bool restores)
{
    const diagonals_matrix a = view(job->layout);
    const offset *row_ptr = csr_row_ptr(job->layout);
    const i32 base = job->layout->csr.base;
    const real *val = csr_val(job->layout);
    real *val_out = (real *)job->val_out;

    for (i64 r = first * CHUNK_ROWS; r < i64_min(last * CHUNK_ROWS, a.rows); r++) {
        i64 k = (i64)row_ptr[r] - base;
        for (i32 d = 0; d < a.count; d++) {
            const i64 col = r + a.offsets[d];
            if (col < 0 || col >= a.cols)
                continue;
            if (!restores)
                a.val[d * a.rows + r] = val[k];
            if (restores && job->col_idx_out)
                job->col_idx_out[k] = (i32)col + base;
            if (restores && val_out)
                val_out[k] = a.val[d * a.rows + r];
            k++;
        }
    }
}

static void update_values(const spmv_job *job, i64 first, i64 last)
{
    move_rows(job, first, last, false);
}

static void restore_csr(const spmv_job *job, i64 first, i64 last)
{
    move_rows(job, first, last, true);
}

static i64 chunk_count(const spmv_layout *layout)
{
    return layout->number[NUMBER_DIAGONALS] ? i64_ceil_div(layout->csr.rows, CHUNK_ROWS) : 0;
}

static i32 update_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, "update_values", update_values, chunk_count(layout));
}

static i32 build_steps(const spmv_layout *layout, spmv_step *step)
{
    add_step(step, 0, "build_offsets", build_offsets, layout->number[NUMBER_DIAGONALS] ? 1 : 0);
    return add_step(step, 1, "build_values", update_values, chunk_count(layout));
}

static i32 restore_steps(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, "restore_csr", restore_csr, chunk_count(job->layout));
}

/* ---- multiplication ------------------------------------------------------------------------ */

KERNEL void diagonals_rows(const diagonals_matrix *a, LENGTH("cols") const real *RESTRICT x,
                           LENGTH("rows") real *RESTRICT y, real alpha, real beta, i64 begin,
                           i64 end)
{
    for (i64 r = begin; r < end; r++) {
        real sum = 0;
        for (i32 d = 0; d < a->count; d++) {
            const i64 col = r + a->offsets[d];
            if (col >= 0 && col < a->cols)
                sum = r_fma(a->val[d * a->rows + r], x[col], sum);
        }
        y_store(y, (i32)r, sum, alpha, beta);
    }
}

static void run_rows(const spmv_job *job, i64 first, i64 last)
{
    const diagonals_matrix a = view(job->layout);

    diagonals_rows(&a, (const real *)job->x, (real *)job->y, (real)job->alpha, (real)job->beta,
                   first * CHUNK_ROWS, i64_min(last * CHUNK_ROWS, a.rows));
}

static i32 launches(const spmv_job *job, spmv_step *step)
{
    if (job->alpha == 0)
        return scale_launches(job, step);
    return add_step(step, 0, "diagonals_rows", run_rows,
                    i64_ceil_div(job->layout->csr.rows, CHUNK_ROWS));
}

static const spmv_method_ops method_ops = {
    .layout_size = layout_size,
    .build_steps = build_steps,
    .update_steps = update_steps,
    .restore_steps = restore_steps,
    .launches = launches,
    .converts = 1,
    .sizing_bytes = (MOST_DIAGONALS + 1) * sizeof(i32),
};
