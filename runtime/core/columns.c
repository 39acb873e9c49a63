/* columns.c: see columns.h. Thread-safe: the state of a multiplication is the caller's. */
#include "runtime/core/columns.h"

#include "runtime/base/types.h"
#include "runtime/core/job.h"
#include "runtime/core/shell.h"
#include "runtime/core/threads/step_runner.h"

/* ---- the workspace ------------------------------------------------------------------------- */

static int has_own_kernels(const spmv_core *plan)
{
    return plan->module->program == NULL && plan->module->ops->launches_columns != NULL;
}

/* Vectors that are multiplied, or copied, together. Copies have 8, because a cache line of a row
 * holds 8 values of 64 bits. */
static int32_t vectors_at_once(const spmv_core *plan)
{
    return has_own_kernels(plan) ? SPMV_MAX_COLUMNS : 8;
}

/* Bytes of count vectors of `length` values, rounded up to SPMV_ALIGNMENT. SIZE_MAX: no memory is
 * that large. */
static size_t vector_bytes(int64_t length, int32_t count, size_t value_bytes)
{
    const size_t most = (SIZE_MAX / 4 - SPMV_ALIGNMENT) / value_bytes;
    size_t bytes;

    if (count > 0 && (uint64_t)length > most / (size_t)count)
        return SIZE_MAX;
    bytes = (size_t)length * (size_t)count * value_bytes;
    return (bytes + SPMV_ALIGNMENT - 1) / SPMV_ALIGNMENT * SPMV_ALIGNMENT;
}

/* Decides which of the parts the multiplication needs. */
static void size_workspace(const spmv_core *plan, spmv_order order, int32_t columns,
                           spmv_columns *run)
{
    const spmv_layout *layout = &plan->layout;
    const int64_t x_count = spmv_layout_x_count(layout, plan->module->ops);
    const int64_t y_count = spmv_layout_y_count(layout, plan->module->ops);
    const size_t value_bytes = spmv_value_bytes(layout->csr.value_type);
    const int64_t workspace =
        plan->module->program != NULL ? 0 : (int64_t)layout->workspace_bytes;
    const int32_t most = vectors_at_once(plan);
    const int32_t at_once = columns < most ? columns : most;
    const spmv_order copied = has_own_kernels(plan) ? SPMV_COLUMN_MAJOR : SPMV_ROW_MAJOR;

    run->module_bytes = vector_bytes(workspace, has_own_kernels(plan) ? at_once : 1, 1);
    if (has_own_kernels(plan) && run->module_bytes != SIZE_MAX)
        run->module_bytes += (layout->columns_bytes + SPMV_ALIGNMENT - 1) / SPMV_ALIGNMENT *
                             SPMV_ALIGNMENT;
    run->x_bytes = order == copied ? vector_bytes(x_count, at_once, value_bytes) : 0;
    run->y_bytes = order == copied && !has_own_kernels(plan)
                       ? vector_bytes(y_count, at_once, value_bytes) : 0;
    run->workspace_bytes =
        run->module_bytes == SIZE_MAX || run->x_bytes == SIZE_MAX || run->y_bytes == SIZE_MAX
            ? SIZE_MAX : run->module_bytes + run->x_bytes + run->y_bytes;
}

size_t spmv_columns_workspace_size(const spmv_core *plan, spmv_order order, int32_t columns)
{
    spmv_columns run;

    size_workspace(plan, order, columns, &run);
    return columns > 0 ? run.workspace_bytes : 0;
}

/* ---- arguments ----------------------------------------------------------------------------- */

static int is_matrix(const spmv_dense *matrix, spmv_order order, int64_t ld)
{
    const int64_t length = order == SPMV_ROW_MAJOR ? matrix->columns : matrix->rows;
    const int64_t groups = order == SPMV_ROW_MAJOR ? matrix->rows : matrix->columns;
    const uint64_t most = PTRDIFF_MAX / matrix->value_bytes;

    return ld >= length && (uint64_t)length <= most &&
           (uint64_t)ld <= (most - (uint64_t)length) / (uint64_t)(groups > 0 ? groups : 1);
}

spmv_status spmv_columns_begin(const spmv_core *plan, const spmv_columns_arguments *a,
                               spmv_columns *run)
{
    const int64_t x_count = spmv_layout_x_count(&plan->layout, plan->module->ops);
    const int64_t y_count = spmv_layout_y_count(&plan->layout, plan->module->ops);
    const size_t value_bytes = spmv_value_bytes(plan->layout.csr.value_type);
    spmv_operands *operands = &run->operands;
    spmv_status status;

    if (a->columns < 0 || (a->order != SPMV_ROW_MAJOR && a->order != SPMV_COLUMN_MAJOR))
        return SPMV_INVALID_ARGUMENT;
    run->plan = plan;
    run->job = spmv_job_of(&plan->layout, a->alpha, a->beta);
    run->x = spmv_dense_of(a->order, a->x, a->ldx, x_count, a->columns, value_bytes);
    run->y = spmv_dense_of(a->order, a->y, a->ldy, y_count, a->columns, value_bytes);
    if (!is_matrix(&run->x, a->order, a->ldx) || !is_matrix(&run->y, a->order, a->ldy))
        return SPMV_INVALID_ARGUMENT;
    operands->x_bytes = spmv_dense_extent(&run->x);
    operands->y_bytes = spmv_dense_extent(&run->y);
    operands->misaligned = spmv_value_alignment(plan->layout.csr.value_type) - 1;
    operands->interleave = !spmv_dense_overlap(&run->x, &run->y);
    spmv_ranges_find(&run->ranges, &plan->layout);
    status = spmv_operands_check(operands, &run->ranges, run->job.alpha, a->x, a->y);
    if (status != SPMV_OK)
        return status;
    size_workspace(plan, a->order, a->columns, run);
    if (operands->y_bytes == 0)
        run->workspace_bytes = 0;
    return SPMV_OK;
}

spmv_status spmv_columns_check_workspace(const spmv_columns *run, const void *workspace)
{
    return spmv_workspace_check(workspace, run->workspace_bytes, &run->operands, &run->ranges,
                                run->x.data, run->y.data);
}

/* ---- multiplications ----------------------------------------------------------------------- */

/* A matrix without gaps in `memory`, of the order other than `matrix`. */
static spmv_dense turned(const spmv_dense *matrix, char *memory)
{
    const spmv_order order = matrix->column_stride == 1 ? SPMV_COLUMN_MAJOR : SPMV_ROW_MAJOR;

    return spmv_dense_of(order, memory, order == SPMV_ROW_MAJOR ? matrix->columns : matrix->rows,
                         matrix->rows, matrix->columns, matrix->value_bytes);
}

/* Columns first to first + count - 1 of x, or their copy in the workspace. */
static spmv_dense x_columns(const spmv_columns *run, char *workspace, int32_t first, int32_t count)
{
    const spmv_dense x = spmv_dense_columns(&run->x, first, count);
    spmv_dense copy;

    if (run->x_bytes == 0 || run->job.alpha == 0)
        return x;
    copy = turned(&x, workspace + run->module_bytes);
    spmv_dense_copy(&run->plan->threads, &copy, &x);
    return copy;
}

/* Multiplies at most SPMV_MAX_COLUMNS vectors by the module's kernels. */
static spmv_status multiply_block(const spmv_columns *run, char *workspace, int32_t first,
                                  int32_t count)
{
    const spmv_dense x = x_columns(run, workspace, first, count);
    const spmv_dense y = spmv_dense_columns(&run->y, first, count);
    spmv_step step[SPMV_MAX_STEPS];
    spmv_job job = run->job;

    job.x = x.data;
    job.y = y.data;
    job.workspace = workspace;
    job.columns = count;
    job.x_stride = x.row_stride;
    job.y_row_stride = y.row_stride;
    job.y_column_stride = y.column_stride;
    return spmv_steps_run(&job, step, run->plan->module->ops->launches_columns(&job, step),
                          &run->plan->threads);
}

/* Multiplies vectors one by one. */
static spmv_status multiply_singly(const spmv_columns *run, char *workspace, int32_t first,
                                   int32_t count)
{
    const spmv_threads *threads = &run->plan->threads;
    const spmv_dense x = x_columns(run, workspace, first, count);
    const spmv_dense y = spmv_dense_columns(&run->y, first, count);
    spmv_status status = SPMV_OK;
    spmv_job job = run->job;
    spmv_dense to = y;

    if (run->y_bytes > 0) {
        to = turned(&y, workspace + run->module_bytes + run->x_bytes);
        if (job.beta != 0)
            spmv_dense_copy(threads, &to, &y);
    }
    job.workspace = run->module_bytes > 0 ? workspace : NULL;
    for (int32_t c = 0; c < count && status == SPMV_OK; c++) {
        job.x = spmv_dense_columns(&x, c, 1).data;
        job.y = spmv_dense_columns(&to, c, 1).data;
        status = spmv_plan_launch(run->plan, &job);
    }
    if (run->y_bytes > 0 && status == SPMV_OK)
        spmv_dense_copy(threads, &y, &to);
    return status;
}

spmv_status spmv_columns_multiply(const spmv_columns *run, void *workspace)
{
    const int32_t at_once = vectors_at_once(run->plan);
    char *memory = (char *)workspace;
    spmv_status status = SPMV_OK;

    if (run->y.rows == 0)
        return SPMV_OK;
    for (int32_t c = 0; c < run->y.columns && status == SPMV_OK; c += at_once) {
        const int32_t left = run->y.columns - c;
        const int32_t count = left < at_once ? left : at_once;

        status = has_own_kernels(run->plan) ? multiply_block(run, memory, c, count)
                                            : multiply_singly(run, memory, c, count);
    }
    return status;
}
