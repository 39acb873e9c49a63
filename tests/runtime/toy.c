/* toy.c: see toy.h. */
#include "toy.h"

void (*toy_during_execute)(void);

int32_t toy_is_usable(void)
{
    return 1;
}

static int32_t is_unusable(void)
{
    return 0;
}

static int32_t no_steps(const spmv_layout *layout, spmv_step *step)
{
    (void)layout;
    (void)step;
    return 0;
}

/* ---- toy_rows ------------------------------------------------------------------------------- */

static spmv_status rows_layout_size(spmv_layout *layout)
{
    layout->borrows = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL;
    layout->cost = (double)(layout->csr.rows + 3 * layout->csr.nnz);
    return SPMV_OK;
}

#define REAL double
#define OFFSET int32_t
#define ROWS(name) rows_f64_i32_##name
#include "toy_rows.inc"

#define REAL float
#define OFFSET int64_t
#define ROWS(name) rows_f32_i64_##name
#include "toy_rows.inc"

static spmv_status loose_layout_size(spmv_layout *layout)
{
    const spmv_status status = rows_layout_size(layout);

    layout->cost = 0;
    return status;
}

static const spmv_method_ops loose_ops = {
    .layout_size = loose_layout_size, .build_steps = no_steps, .update_steps = no_steps,
    .restore_steps = rows_f64_i32_restore_steps, .launches = rows_f64_i32_launches,
};

/* ---- toy_parts ------------------------------------------------------------------------------ */

enum { PART = 3, ROW = 0, COL, VAL, BASE = 0 };

static int64_t part_count(const spmv_layout *layout)
{
    return (layout->csr.nnz + PART - 1) / PART;
}

static spmv_status parts_layout_size(spmv_layout *layout)
{
    const size_t nnz = (size_t)layout->csr.nnz;

    layout->array_count = 3;
    layout->array[ROW] = (spmv_array){"row", nnz * sizeof(int32_t), NULL};
    layout->array[COL] = (spmv_array){"col", nnz * sizeof(int32_t), NULL};
    layout->array[VAL] = (spmv_array){"val", nnz * sizeof(double), NULL};
    layout->number[BASE] = layout->csr.base;
    layout->workspace_bytes = (size_t)part_count(layout) * sizeof(double);
    layout->cost = (double)(200 + layout->csr.rows + layout->csr.nnz);
    return SPMV_OK;
}

static void fill_rows(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_csr *a = &job->layout->csr;
    const int32_t *row_ptr = (const int32_t *)a->row_ptr;
    int32_t *row = (int32_t *)job->layout->array[ROW].data;
    int32_t *col = (int32_t *)job->layout->array[COL].data;

    for (int64_t r = first; r < last; r++)
        for (int32_t k = row_ptr[r] - a->base; k < row_ptr[r + 1] - a->base; k++) {
            row[k] = (int32_t)r;
            col[k] = a->col_idx[k] - a->base;
        }
}

static void fill_values(const spmv_job *job, int64_t first, int64_t last)
{
    double *val = (double *)job->layout->array[VAL].data;

    for (int64_t k = first; k < last; k++)
        val[k] = ((const double *)job->layout->csr.val)[k];
}

static int32_t parts_update_steps(const spmv_layout *layout, spmv_step *step)
{
    step[0] = (spmv_step){"fill_values", fill_values, layout->csr.nnz};
    return 1;
}

static int32_t parts_build_steps(const spmv_layout *layout, spmv_step *step)
{
    step[0] = (spmv_step){"fill_rows", fill_rows, layout->csr.rows};
    return 1 + parts_update_steps(layout, step + 1);
}

static void scale(const spmv_job *job, int64_t first, int64_t last)
{
    double *y = (double *)job->y;

    for (int64_t r = first; r < last; r++)
        y[r] = job->beta == 0 ? 0 : job->beta * y[r];
}

static void add_part(const spmv_job *job, int64_t part)
{
    const int64_t nnz = job->layout->csr.nnz;
    const int64_t end = (part + 1) * PART < nnz ? (part + 1) * PART : nnz;
    const int32_t *row = (const int32_t *)job->layout->array[ROW].data;
    const int32_t *col = (const int32_t *)job->layout->array[COL].data;
    const double *val = (const double *)job->layout->array[VAL].data;
    const double *x = (const double *)job->x;
    double *carry = (double *)job->workspace + part;

    *carry = 0;
    for (int64_t k = part * PART; k < end;) {
        const int32_t r = row[k];
        double *sum = k > 0 && row[k - 1] == r ? carry : (double *)job->y + r;
        double part_sum = 0;
        for (; k < end && row[k] == r; k++)
            part_sum += val[k] * x[col[k]];
        *sum += job->alpha * part_sum;
    }
}

static void add_parts(const spmv_job *job, int64_t first, int64_t last)
{
    for (int64_t part = first; part < last; part++)
        add_part(job, part);
}

static void add_carries(const spmv_job *job, int64_t first, int64_t last)
{
    const int32_t *row = (const int32_t *)job->layout->array[ROW].data;
    void (*hook)(void) = toy_during_execute;

    (void)first;
    (void)last;
    for (int64_t part = 0; part < part_count(job->layout); part++)
        ((double *)job->y)[row[part * PART]] += ((const double *)job->workspace)[part];
    if (hook) {
        toy_during_execute = NULL;
        hook();
    }
}

static int32_t parts_launches(const spmv_job *job, spmv_step *step)
{
    step[0] = (spmv_step){"scale", scale, job->layout->csr.rows};
    step[1] = (spmv_step){"add_parts", add_parts, part_count(job->layout)};
    step[2] = (spmv_step){"add_carries", add_carries, 1};
    return job->alpha == 0 ? 1 : 3;
}

static void restore(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_layout *layout = job->layout;

    for (int64_t k = first; k < last; k++) {
        if (job->col_idx_out)
            job->col_idx_out[k] =
                ((const int32_t *)layout->array[COL].data)[k] + (int32_t)layout->number[BASE];
        if (job->val_out)
            ((double *)job->val_out)[k] = ((const double *)layout->array[VAL].data)[k];
    }
}

static int32_t parts_restore_steps(const spmv_job *job, spmv_step *step)
{
    if (job->row_ptr_out != NULL)
        return 0;                /* the layout does not record empty rows */
    step[0] = (spmv_step){"restore", restore, job->layout->csr.nnz};
    return 1;
}

static const spmv_method_ops parts_ops = {
    .layout_size = parts_layout_size, .build_steps = parts_build_steps,
    .update_steps = parts_update_steps, .restore_steps = parts_restore_steps,
    .launches = parts_launches,
};

/* ---- tables --------------------------------------------------------------------------------- */

static const spmv_param parts_params[] = {{"part", PART, "toy.c:1"}};

#define MODULE(symbol, method_, target_, value, offset, bits, rank_, usable_, ops_)                \
    const spmv_module symbol = {                                                                   \
        .abi = SPMV_MODULE_ABI, .source_hash = 1, .name = #symbol, .method = method_,              \
        .target = target_, .generator = "by hand", .value_type = value, .offset_type = offset,     \
        .determinism = bits, .rank = rank_, .param_count = 1, .params = parts_params,              \
        .usable = usable_, .ops = &ops_}

MODULE(toy_rows_f64_i32, "toy_rows", "toy", SPMV_F64, SPMV_I32, SPMV_SAME_BITS, 1, toy_is_usable,
       rows_f64_i32_ops);
MODULE(toy_rows_f32_i64, "toy_rows", "toy", SPMV_F32, SPMV_I64, SPMV_SAME_BITS, 1, toy_is_usable,
       rows_f32_i64_ops);
MODULE(toy_parts_f64_i32, "toy_parts", "toy", SPMV_F64, SPMV_I32, SPMV_SAME_BITS, 1, toy_is_usable,
       parts_ops);
MODULE(toy_fast_f64_i32, "toy_rows", "toy-fast", SPMV_F64, SPMV_I32, SPMV_SAME_BITS, 50,
       toy_is_usable, rows_f64_i32_ops);
MODULE(toy_unusable_f64_i32, "toy_rows", "toy-future", SPMV_F64, SPMV_I32, SPMV_SAME_BITS, 99,
       is_unusable, rows_f64_i32_ops);
MODULE(toy_loose_f64_i32, "toy_loose", "toy", SPMV_F64, SPMV_I32, SPMV_BENCHMARK_ONLY, 1,
       toy_is_usable, loose_ops);

const spmv_module *const toy_modules[] = {
    &toy_rows_f64_i32, &toy_rows_f32_i64, &toy_parts_f64_i32, &toy_fast_f64_i32,
    &toy_unusable_f64_i32, &toy_loose_f64_i32, NULL,
};
