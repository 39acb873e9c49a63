/* toy_device.c: see toy_device.h. The layout holds each value doubled. A kernel sums rows, a host
 * step halves the sums, a second kernel stores half of y, and another host step doubles y in place:
 *
 *     twice    f64[nnz]    the array: 2 * val
 *     sum      f64[rows]   the part of the workspace: twice a row's sum, then the sum
 *     factor               the number: 2
 */
#include "toy_device.h"

#include <string.h>

enum { GROUP = 4 };

/* ---- host ---------------------------------------------------------------------------------- */

static spmv_status layout_size(spmv_layout *layout)
{
    const size_t rows = (size_t)layout->csr.rows;

    layout->array_count = 1;
    layout->array[0].name = "twice";
    layout->array[0].bytes = (size_t)layout->csr.nnz * sizeof(double);
    layout->borrows = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX;
    layout->value_arrays = 1;
    layout->number[0] = 2;
    layout->part_count = 1;
    layout->part[0] = (spmv_part){"sum", 0, rows * sizeof(double),
                                  SPMV_HOST_READS | SPMV_HOST_WRITES, 0};
    layout->host_y = SPMV_HOST_READS | SPMV_HOST_WRITES;
    layout->workspace_bytes = rows * sizeof(double);
    layout->cost = 1;
    return SPMV_OK;
}

static void fill(const spmv_job *job, int64_t first, int64_t last)
{
    const double *val = job->layout->csr.val;
    double *twice = job->layout->array[0].data;

    for (int64_t k = first; k < last; k++)
        twice[k] = 2 * val[k];
}

static int32_t fill_steps(const spmv_layout *layout, spmv_step *step)
{
    step[0] = (spmv_step){"fill", fill, layout->csr.nnz};
    return 1;
}

static int32_t restore_steps(const spmv_job *job, spmv_step *step)
{
    (void)job;
    (void)step;
    return 0;
}

void (*toy_during_step)(void);

static void halve(const spmv_job *job, int64_t first, int64_t last)
{
    double *sum = job->workspace;

    if (first == 0 && toy_during_step != NULL)
        toy_during_step();
    for (int64_t r = first; r < last; r++)
        sum[r] = sum[r] / (double)job->layout->number[0];
}

static void redouble(const spmv_job *job, int64_t first, int64_t last)
{
    double *y = job->y;

    for (int64_t r = first; r < last; r++)
        y[r] = 2 * y[r];
}

static int32_t launches(const spmv_job *job, spmv_step *step)
{
    const int64_t groups = (job->layout->csr.rows + GROUP - 1) / GROUP;

    step[0] = (spmv_step){"toy_sums", NULL, groups};
    step[1] = (spmv_step){"halve", halve, job->layout->csr.rows};
    step[2] = (spmv_step){"toy_store", NULL, groups};
    step[3] = (spmv_step){"redouble", redouble, job->layout->csr.rows};
    return 4;
}

/* ---- without host steps -------------------------------------------------------------------- */

static spmv_status alone_layout_size(spmv_layout *layout)
{
    const spmv_status status = layout_size(layout);

    layout->part[0].host = 0;
    layout->host_y = 0;
    return status;
}

/* The sums stay doubled; the second kernel halves them. */
static int32_t alone_launches(const spmv_job *job, spmv_step *step)
{
    const int64_t groups = (job->layout->csr.rows + GROUP - 1) / GROUP;

    step[0] = (spmv_step){"toy_sums", NULL, groups};
    step[1] = (spmv_step){"toy_store", NULL, groups};
    return 2;
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void run_sums(const void *const *argument, int64_t item)
{
    const int32_t *row_ptr = argument[0];
    const int32_t *col_idx = argument[1];
    const double *twice = argument[2];
    const double *x = argument[3];
    double *sum = (double *)argument[4];
    const int32_t base = *(const int32_t *)argument[5];
    int64_t rows;
    double alpha, total = 0;

    memcpy(&rows, argument[6], sizeof rows);
    memcpy(&alpha, argument[7], sizeof alpha);
    if (item >= rows)
        return;
    for (int32_t k = row_ptr[item] - base; k < row_ptr[item + 1] - base && alpha != 0; k++)
        total += twice[k] * x[col_idx[k] - base];
    sum[item] = total;
}

static void run_store(const void *const *argument, int64_t item)
{
    const double *sum = argument[0];
    double *y = (double *)argument[1];
    double alpha, beta;
    int32_t rows, factor;

    memcpy(&alpha, argument[2], sizeof alpha);
    memcpy(&beta, argument[3], sizeof beta);
    memcpy(&rows, argument[4], sizeof rows);
    memcpy(&factor, argument[5], sizeof factor);
    if (item < rows)
        y[item] = (alpha * sum[item] + (beta == 0 ? 0 : beta * y[item])) / factor;
}

const toy_kernel toy_kernels[] = {
    {"toy_sums", 8, "\1\1\1\1\1\0\0\0", "\0\0\0\0\0\4\10\10", run_sums},
    {"toy_store", 6, "\1\1\0\0\0\0", "\0\0\10\10\4\4", run_store},
    {NULL, 0, NULL, NULL, NULL},
};

/* ---- module -------------------------------------------------------------------------------- */

static const spmv_argument sums_arguments[] = {
    {"row_ptr", SPMV_ARGUMENT_READ}, {"col_idx", SPMV_ARGUMENT_READ},
    {"twice", SPMV_ARGUMENT_READ},   {"x", SPMV_ARGUMENT_READ},
    {"sum", SPMV_ARGUMENT_READ_WRITE}, {"base", SPMV_ARGUMENT_I32},
    {"rows", SPMV_ARGUMENT_I64},     {"alpha", SPMV_ARGUMENT_F64},
};

static const spmv_argument store_arguments[] = {
    {"sum", SPMV_ARGUMENT_READ}, {"y", SPMV_ARGUMENT_READ_WRITE}, {"alpha", SPMV_ARGUMENT_F64},
    {"beta", SPMV_ARGUMENT_F64}, {"rows", SPMV_ARGUMENT_I32},     {"factor", SPMV_ARGUMENT_I32},
};

static const spmv_kernel kernels[] = {
    {"toy_sums", "toy_sums", GROUP, 1024, 8, sums_arguments, 0},
    {"toy_store", "toy_store", GROUP, 0, 6, store_arguments, 0},
};

static const char *const lines[] = {"the mock knows its kernels by name\n"};

static const spmv_program_part text[] = {{lines, 1}};

spmv_program toy_device_program = {
    .language = "opencl", .file = "toy.cl", .parts = text, .part_count = 1, .kernel_count = 2,
    .kernels = kernels, .options = "", .match = "Mock", .memory = SPMV_MEMORY_DISCRETE,
};

static const char *const number_names[] = {"factor"};

static const spmv_method_ops ops = {
    .layout_size = layout_size, .build_steps = fill_steps, .update_steps = fill_steps,
    .restore_steps = restore_steps, .launches = launches,
    .number_count = 1, .number_names = number_names,
};

static int32_t usable(void)
{
    return 1;
}

const spmv_module toy_device_f64_i32 = {
    .abi = SPMV_MODULE_ABI, .source_hash = 7, .name = "toy_device_f64_i32", .method = "toy_device",
    .target = "mock", .generator = "none", .value_type = SPMV_F64, .offset_type = SPMV_I32,
    .usable = usable, .ops = &ops, .program = &toy_device_program,
};

const spmv_module *const toy_device_modules[] = {&toy_device_f64_i32, NULL};

static const spmv_method_ops alone_ops = {
    .layout_size = alone_layout_size, .build_steps = fill_steps, .update_steps = fill_steps,
    .restore_steps = restore_steps, .launches = alone_launches,
    .number_count = 1, .number_names = number_names,
};

static const spmv_module toy_alone_f64_i32 = {
    .abi = SPMV_MODULE_ABI, .source_hash = 8, .name = "toy_alone_f64_i32", .method = "toy_alone",
    .target = "mock", .generator = "none", .value_type = SPMV_F64, .offset_type = SPMV_I32,
    .usable = usable, .ops = &alone_ops, .program = &toy_device_program,
};

const spmv_module *const toy_alone_modules[] = {&toy_alone_f64_i32, NULL};

/* ---- with borrowed values, for CUDA --------------------------------------------------------- */

static spmv_status borrowing_layout_size(spmv_layout *layout)
{
    const spmv_status status = alone_layout_size(layout);

    layout->array_count = 0;
    layout->value_arrays = 0;
    layout->borrows |= SPMV_BORROWS_VAL;
    layout->number[0] = 1;
    return status;
}

static int32_t no_steps(const spmv_layout *layout, spmv_step *step)
{
    (void)layout;
    (void)step;
    return 0;
}

static const spmv_argument borrowing_arguments[] = {
    {"row_ptr", SPMV_ARGUMENT_READ}, {"col_idx", SPMV_ARGUMENT_READ},
    {"val", SPMV_ARGUMENT_READ},     {"x", SPMV_ARGUMENT_READ},
    {"sum", SPMV_ARGUMENT_READ_WRITE}, {"base", SPMV_ARGUMENT_I32},
    {"rows", SPMV_ARGUMENT_I64},     {"alpha", SPMV_ARGUMENT_F64},
};

static const spmv_kernel borrowing_kernels[] = {
    {"toy_sums", "toy_sums", GROUP, 1024, 8, borrowing_arguments, 0},
    {"toy_store", "toy_store", GROUP, 0, 6, store_arguments, 0},
};

static const spmv_program borrowing_program = {
    .language = "cuda", .file = "toy.cu", .parts = text, .part_count = 1, .kernel_count = 2,
    .kernels = borrowing_kernels, .options = "", .match = "Mock", .memory = SPMV_MEMORY_DISCRETE,
};

static const spmv_method_ops borrowing_ops = {
    .layout_size = borrowing_layout_size, .build_steps = no_steps, .update_steps = no_steps,
    .restore_steps = restore_steps, .launches = alone_launches,
    .number_count = 1, .number_names = number_names,
};

static const spmv_module toy_borrowing_f64_i32 = {
    .abi = SPMV_MODULE_ABI, .source_hash = 9, .name = "toy_borrowing_f64_i32",
    .method = "toy_borrowing", .target = "mock", .generator = "none", .value_type = SPMV_F64,
    .offset_type = SPMV_I32, .usable = usable, .ops = &borrowing_ops, .program = &borrowing_program,
};

const spmv_module *const toy_borrowing_modules[] = {&toy_borrowing_f64_i32, NULL};

/* ---- one kernel without a workspace, for CUDA ----------------------------------------------- */

static spmv_status single_layout_size(spmv_layout *layout)
{
    const spmv_status status = borrowing_layout_size(layout);

    layout->part_count = 0;
    layout->workspace_bytes = 0;
    return status;
}

static int32_t single_launch(const spmv_job *job, spmv_step *step)
{
    step[0] = (spmv_step){"toy_sums", NULL, (job->layout->csr.rows + GROUP - 1) / GROUP};
    return 1;
}

static const spmv_argument single_arguments[] = {
    {"row_ptr", SPMV_ARGUMENT_READ}, {"col_idx", SPMV_ARGUMENT_READ},
    {"val", SPMV_ARGUMENT_READ},     {"x", SPMV_ARGUMENT_READ},
    {"y", SPMV_ARGUMENT_READ_WRITE}, {"base", SPMV_ARGUMENT_I32},
    {"rows", SPMV_ARGUMENT_I64},     {"alpha", SPMV_ARGUMENT_F64},
};

spmv_kernel toy_single_kernel = {"toy_sums", "toy_sums", GROUP, 1024, 8, single_arguments, 0};

static const spmv_program single_program = {
    .language = "cuda", .file = "toy.cu", .parts = text, .part_count = 1, .kernel_count = 1,
    .kernels = &toy_single_kernel, .options = "", .match = "Mock", .memory = SPMV_MEMORY_DISCRETE,
};

static const spmv_method_ops single_ops = {
    .layout_size = single_layout_size, .build_steps = no_steps, .update_steps = no_steps,
    .restore_steps = restore_steps, .launches = single_launch,
    .number_count = 1, .number_names = number_names,
};

static const spmv_module toy_single_f64_i32 = {
    .abi = SPMV_MODULE_ABI, .source_hash = 10, .name = "toy_single_f64_i32",
    .method = "toy_single", .target = "mock", .generator = "none", .value_type = SPMV_F64,
    .offset_type = SPMV_I32, .usable = usable, .ops = &single_ops, .program = &single_program,
};

const spmv_module *const toy_single_modules[] = {&toy_single_f64_i32, NULL};
