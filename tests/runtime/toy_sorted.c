/* toy_sorted.c: see toy_sorted.h. */
#include "toy_sorted.h"

#include "toy.h"

#include <string.h>

enum { SIZING_BYTES = 1000 };
enum { ORDER = 0, ROW_PTR, COL, VAL, ARRAYS, BASE = 0, PERMUTED = 0, STRIPE };

const void *toy_sorted_scratch;
const void *toy_sorted_sizing;
int32_t toy_sorted_sees_sizing;
int32_t toy_sorted_figure_count;
int32_t toy_sorted_always_permutes;

static const spmv_setting settings[] = {
    {"permuted", "leave y in the order of the rows' lengths", 0, 1, 0},
    {"stripe", "rows of a chunk", 1, 64, 4},
};

static const int32_t *ints(const spmv_layout *layout, int array)
{
    return (const int32_t *)layout->array[array].data;
}

static spmv_status layout_size(spmv_layout *layout)
{
    const size_t rows = (size_t)layout->csr.rows;
    const size_t nnz = (size_t)layout->csr.nnz;

    toy_sorted_sizing = layout->scratch;
    memset(layout->scratch, 1, SIZING_BYTES);
    layout->array_count = ARRAYS;
    layout->array[ORDER] = (spmv_array){"order", rows * sizeof(int32_t), NULL};
    layout->array[ROW_PTR] = (spmv_array){"row_ptr", (rows + 1) * sizeof(int32_t), NULL};
    layout->array[COL] = (spmv_array){"col", nnz * sizeof(int32_t), NULL};
    layout->array[VAL] = (spmv_array){"val", nnz * sizeof(double), NULL};
    layout->number[BASE] = layout->csr.base;
    layout->permutes_y = layout->setting[PERMUTED] || toy_sorted_always_permutes ? ORDER + 1 : 0;
    layout->build_bytes = rows * sizeof(int32_t);
    layout->cost = 1e6;
    layout->build_cost = 5e6;
    return SPMV_OK;
}

/* ---- building -------------------------------------------------------------------------------- */

static void measure(const spmv_job *job, int64_t first, int64_t last)
{
    const int32_t *row_ptr = (const int32_t *)job->layout->csr.row_ptr;

    if (first == 0)
        toy_sorted_scratch = job->workspace;
    for (int64_t r = first; r < last; r++)
        ((int32_t *)job->workspace)[r] = row_ptr[r + 1] - row_ptr[r];
}

static void sort(const spmv_job *job, int64_t first, int64_t last)
{
    const int32_t *length = (const int32_t *)job->workspace;
    int32_t *order = (int32_t *)job->layout->array[ORDER].data;

    (void)first;
    (void)last;
    for (int64_t r = 0; r < job->layout->csr.rows; r++) {
        int64_t k = r;
        for (; k > 0 && length[order[k - 1]] > length[r]; k--)
            order[k] = order[k - 1];
        order[k] = (int32_t)r;
    }
}

static void fill(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_layout *layout = job->layout;
    const int32_t *row_ptr = (const int32_t *)layout->csr.row_ptr;
    const int32_t base = layout->csr.base;

    for (int64_t r = first; r < last; r++) {
        ((int32_t *)layout->array[ROW_PTR].data)[r] = row_ptr[r] - base;
        if (r < layout->csr.rows)
            for (int32_t k = row_ptr[r] - base; k < row_ptr[r + 1] - base; k++)
                ((int32_t *)layout->array[COL].data)[k] = layout->csr.col_idx[k] - base;
    }
}

static void fill_values(const spmv_job *job, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k++)
        ((double *)job->layout->array[VAL].data)[k] = ((const double *)job->layout->csr.val)[k];
}

static int32_t update_steps(const spmv_layout *layout, spmv_step *step)
{
    step[0] = (spmv_step){"fill_values", fill_values, layout->csr.nnz};
    return 1;
}

static int32_t build_steps(const spmv_layout *layout, spmv_step *step)
{
    toy_sorted_sees_sizing = layout->scratch != NULL;
    step[0] = (spmv_step){"measure", measure, layout->csr.rows};
    step[1] = (spmv_step){"sort", sort, 1};
    step[2] = (spmv_step){"fill", fill, layout->csr.rows + 1};
    return 3 + update_steps(layout, step + 3);
}

/* ---- multiplying ----------------------------------------------------------------------------- */

static void multiply(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_layout *layout = job->layout;
    const int64_t stripe = layout->setting[STRIPE];
    const int64_t end = last * stripe < layout->csr.rows ? last * stripe : layout->csr.rows;
    const double *val = (const double *)layout->array[VAL].data;

    for (int64_t i = first * stripe; i < end; i++) {
        const int32_t r = ints(layout, ORDER)[i];
        double *y = (double *)job->y + (layout->permutes_y ? i : r);
        double sum = 0;

        if (job->alpha != 0)
            for (int32_t k = ints(layout, ROW_PTR)[r]; k < ints(layout, ROW_PTR)[r + 1]; k++)
                sum += val[k] * ((const double *)job->x)[ints(layout, COL)[k]];
        *y = job->alpha * sum + (job->beta == 0 ? 0 : job->beta * *y);
    }
}

static int64_t chunk_count(const spmv_layout *layout)
{
    return (layout->csr.rows + layout->setting[STRIPE] - 1) / layout->setting[STRIPE];
}

static int32_t launches(const spmv_job *job, spmv_step *step)
{
    step[0] = (spmv_step){"multiply", multiply, chunk_count(job->layout)};
    return 1;
}

/* ---- figures and CSR ------------------------------------------------------------------------- */

static int32_t figures(const spmv_layout *layout, spmv_figure *figure)
{
    const int64_t rows = layout->csr.rows;
    const int32_t longest = rows > 0 ? ints(layout, ORDER)[rows - 1] : 0;

    if (toy_sorted_figure_count != 0)
        return toy_sorted_figure_count;
    figure[0] = (spmv_figure){"chunks", "", (double)chunk_count(layout)};
    figure[1] = (spmv_figure){"longest row", "nonzeros", rows == 0 ? 0 : (double)(
                              ints(layout, ROW_PTR)[longest + 1] - ints(layout, ROW_PTR)[longest])};
    return 2;
}

static void restore_rows(const spmv_job *job, int64_t first, int64_t last)
{
    for (int64_t r = first; r < last && job->row_ptr_out != NULL; r++)
        ((int32_t *)job->row_ptr_out)[r] =
            ints(job->layout, ROW_PTR)[r] + (int32_t)job->layout->number[BASE];
}

static void restore_entries(const spmv_job *job, int64_t first, int64_t last)
{
    for (int64_t k = first; k < last; k++) {
        if (job->col_idx_out)
            job->col_idx_out[k] =
                ints(job->layout, COL)[k] + (int32_t)job->layout->number[BASE];
        if (job->val_out)
            ((double *)job->val_out)[k] = ((const double *)job->layout->array[VAL].data)[k];
    }
}

static int32_t restore_steps(const spmv_job *job, spmv_step *step)
{
    step[0] = (spmv_step){"restore_rows", restore_rows, job->layout->csr.rows + 1};
    step[1] = (spmv_step){"restore_entries", restore_entries, job->layout->csr.nnz};
    return 2;
}

static const spmv_method_ops ops = {
    .layout_size = layout_size, .build_steps = build_steps, .update_steps = update_steps,
    .restore_steps = restore_steps, .launches = launches, .figures = figures,
    .settings = settings, .setting_count = 2, .converts = 1, .sizing_bytes = SIZING_BYTES,
};

const spmv_module toy_sorted_f64_i32 = {
    .abi = SPMV_MODULE_ABI, .source_hash = 1, .name = "toy_sorted_f64_i32", .method = "toy_sorted",
    .target = "toy", .generator = "by hand", .value_type = SPMV_F64, .offset_type = SPMV_I32,
    .determinism = SPMV_SAME_BITS, .rank = 1, .usable = toy_is_usable, .ops = &ops,
};

const spmv_module *const toy_sorted_modules[] = {&toy_sorted_f64_i32, NULL};
