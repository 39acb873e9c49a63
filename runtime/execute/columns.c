/* columns.c: the multiplication of several vectors.
 *
 * Modules with launches_columns multiply up to SPMV_MAX_COLUMNS vectors at once, from a row-major
 * x, so a column-major x is copied first. For other modules, and on devices, the vectors are
 * multiplied one by one, and row-major vectors are copied before and after. The workspace holds the
 * module's own workspace, then the copies.
 */
#include "runtime/plan/plan.h"

#include "runtime/base/memory.h"
#include "runtime/base/overlap.h"
#include "runtime/base/types.h"
#include "runtime/execute/dense.h"
#include "runtime/execute/job.h"
#include "runtime/threads/step_runner.h"

/* One call of spmv_execute_columns. */
typedef struct columns_run {
    const spmv_plan *plan;
    double alpha, beta;
    spmv_dense x, y;
    char *workspace;
} columns_run;

/* ---- the workspace ------------------------------------------------------------------------- */

/* The parts of the workspace, in bytes. */
typedef struct columns_memory {
    size_t module, x, y;
} columns_memory;

static int has_own_kernels(const spmv_plan *plan)
{
    return plan->backend == NULL && plan->module->ops->launches_columns != NULL;
}

/* A multiple of SPMV_ALIGNMENT that holds count values, or SIZE_MAX: no memory is that large. */
static size_t vector_bytes(int64_t count, int32_t columns, size_t value_bytes)
{
    const size_t most = (SIZE_MAX - SPMV_ALIGNMENT) / value_bytes / SPMV_MAX_COLUMNS;
    size_t bytes;

    if ((uint64_t)count > most)
        return SIZE_MAX;
    bytes = (size_t)count * (size_t)columns * value_bytes;
    return (bytes + SPMV_ALIGNMENT - 1) / SPMV_ALIGNMENT * SPMV_ALIGNMENT;
}

static columns_memory memory_of(const spmv_plan *plan, spmv_order order, int32_t columns)
{
    const spmv_layout *layout = &plan->layout;
    const size_t value_bytes = spmv_value_bytes(layout->csr.value_type);
    const int32_t block = columns < SPMV_MAX_COLUMNS ? columns : SPMV_MAX_COLUMNS;
    const size_t workspace = plan->backend == NULL ? layout->workspace_bytes : 0;
    columns_memory memory = {0, 0, 0};

    if (has_own_kernels(plan)) {
        memory.module = vector_bytes((int64_t)(workspace / value_bytes), block, value_bytes);
        if (order == SPMV_COLUMN_MAJOR)
            memory.x = vector_bytes(layout->csr.cols, block, value_bytes);
    } else {
        memory.module = vector_bytes((int64_t)(workspace / value_bytes), 1, value_bytes);
        if (order == SPMV_ROW_MAJOR) {
            memory.x = vector_bytes(layout->csr.cols, 1, value_bytes);
            memory.y = vector_bytes(layout->csr.rows, 1, value_bytes);
        }
    }
    return memory;
}

size_t spmv_plan_columns_workspace_size(const spmv_plan *plan, spmv_order order, int32_t columns)
{
    columns_memory memory;

    if (plan == NULL || columns <= 0)
        return 0;
    memory = memory_of(plan, order, columns);
    if (memory.module > SIZE_MAX - memory.x || memory.module + memory.x > SIZE_MAX - memory.y)
        return SIZE_MAX;
    return memory.module + memory.x + memory.y;
}

/* ---- multiplications ----------------------------------------------------------------------- */

/* A row-major matrix without gaps in `memory`, for a copy of `matrix`. */
static spmv_dense packed(const spmv_dense *matrix, char *memory)
{
    return spmv_dense_of(SPMV_ROW_MAJOR, memory, matrix->columns, matrix->rows, matrix->columns,
                         matrix->value_bytes);
}

/* Multiplies at most SPMV_MAX_COLUMNS vectors by the module's kernels. */
static spmv_status multiply_block(const columns_run *run, const spmv_dense *x, const spmv_dense *y,
                                  const columns_memory *memory)
{
    const spmv_plan *plan = run->plan;
    spmv_job job = spmv_job_of(&plan->layout, run->alpha, run->beta);
    spmv_step step[SPMV_MAX_STEPS];
    spmv_dense from = *x;

    if (x->column_stride != 1 && x->columns > 1 && job.alpha != 0) {
        from = packed(x, run->workspace + memory->module);
        spmv_dense_copy(&plan->threads, &from, x);
    }
    job.x = from.data;
    job.y = y->data;
    job.workspace = run->workspace;
    job.columns = x->columns;
    job.x_stride = from.row_stride;
    job.y_row_stride = y->row_stride;
    job.y_column_stride = y->column_stride;
    return spmv_steps_run(&job, step, plan->module->ops->launches_columns(&job, step),
                          &plan->threads);
}

static spmv_status multiply_blocks(const columns_run *run, const columns_memory *memory)
{
    spmv_status status = SPMV_OK;

    for (int32_t c = 0; c < run->x.columns && status == SPMV_OK; c += SPMV_MAX_COLUMNS) {
        const int32_t left = run->x.columns - c;
        const int32_t count = left < SPMV_MAX_COLUMNS ? left : SPMV_MAX_COLUMNS;
        const spmv_dense x = spmv_dense_columns(&run->x, c, count);
        const spmv_dense y = spmv_dense_columns(&run->y, c, count);
        status = multiply_block(run, &x, &y, memory);
    }
    return status;
}

/* Multiplies the vectors one by one. */
static spmv_status multiply_singly(const columns_run *run, const columns_memory *memory)
{
    const spmv_threads *threads = &run->plan->threads;
    char *workspace = memory->module > 0 ? run->workspace : NULL;
    spmv_status status = SPMV_OK;

    for (int32_t c = 0; c < run->x.columns && status == SPMV_OK; c++) {
        const spmv_dense x = spmv_dense_columns(&run->x, c, 1);
        const spmv_dense y = spmv_dense_columns(&run->y, c, 1);
        spmv_dense from = x;
        spmv_dense to = y;

        if (memory->x > 0 && run->alpha != 0) {
            from = packed(&x, run->workspace + memory->module);
            spmv_dense_copy(threads, &from, &x);
        }
        if (memory->y > 0) {
            to = packed(&y, run->workspace + memory->module + memory->x);
            if (run->beta != 0)
                spmv_dense_copy(threads, &to, &y);
        }
        status = spmv_execute(run->plan, run->alpha, from.data, run->beta, to.data, workspace);
        if (memory->y > 0 && status == SPMV_OK)
            spmv_dense_copy(threads, &y, &to);
    }
    return status;
}

/* ---- arguments ----------------------------------------------------------------------------- */

static int is_matrix(const spmv_dense *matrix, int64_t ld, size_t alignment)
{
    const int64_t length = matrix->column_stride == 1 ? matrix->columns : matrix->rows;
    const int64_t groups = matrix->column_stride == 1 ? matrix->rows : matrix->columns;

    return ld >= 1 && ld >= length && spmv_is_aligned(matrix->data, alignment) &&
           (uint64_t)ld <= (PTRDIFF_MAX / matrix->value_bytes - (size_t)length) /
                               (size_t)(groups > 0 ? groups : 1);
}

static spmv_status check_columns(const columns_run *run, int64_t ldx, int64_t ldy,
                                 size_t workspace_bytes)
{
    const spmv_layout *layout = &run->plan->layout;
    const size_t alignment = spmv_value_alignment(layout->csr.value_type);
    size_t x_extent, y_extent;

    if (!is_matrix(&run->x, ldx, alignment) || !is_matrix(&run->y, ldy, alignment) ||
        !spmv_is_aligned(run->workspace, SPMV_ALIGNMENT))
        return SPMV_INVALID_ARGUMENT;
    x_extent = spmv_dense_extent(&run->x);
    y_extent = spmv_dense_extent(&run->y);
    if ((run->x.data == NULL && run->alpha != 0 && x_extent > 0) ||
        (run->y.data == NULL && y_extent > 0))
        return SPMV_INVALID_ARGUMENT;
    if (spmv_dense_overlap(&run->x, &run->y) ||
        spmv_do_overlap(run->workspace, workspace_bytes, run->x.data, x_extent) ||
        spmv_do_overlap(run->workspace, workspace_bytes, run->y.data, y_extent) ||
        spmv_reaches_into_plan(layout, run->y.data, y_extent) ||
        spmv_reaches_into_plan(layout, run->workspace, workspace_bytes))
        return SPMV_ALIASING;
    return SPMV_OK;
}

/* ---- the call ------------------------------------------------------------------------------ */

static spmv_status multiply(const columns_run *run, const columns_memory *memory)
{
    return has_own_kernels(run->plan) ? multiply_blocks(run, memory)
                                      : multiply_singly(run, memory);
}

/* Lends the plan's own workspace, which grows to `bytes`. */
static spmv_status multiply_in_own(columns_run *run, const columns_memory *memory, size_t bytes)
{
    spmv_scratch *scratch = run->plan->scratch;
    spmv_status status = SPMV_OK;

    if (!spmv_atomic_try_lock(&scratch->busy))
        return SPMV_BUSY;
    if (scratch->columns_bytes < bytes) {
        spmv_memory_free(scratch->columns_memory);
        scratch->columns_memory = spmv_memory_alloc(bytes);
        scratch->columns_bytes = scratch->columns_memory != NULL ? bytes : 0;
        status = scratch->columns_memory != NULL ? SPMV_OK : SPMV_OUT_OF_MEMORY;
    }
    run->workspace = (char *)scratch->columns_memory;
    if (status == SPMV_OK)
        status = multiply(run, memory);
    spmv_atomic_unlock(&scratch->busy);
    return status;
}

spmv_status spmv_execute_columns(const spmv_plan *plan, spmv_order order, int32_t columns,
                                 double alpha, const void *x, int64_t ldx, double beta, void *y,
                                 int64_t ldy, void *workspace)
{
    columns_run run = {.plan = plan, .workspace = (char *)workspace};
    columns_memory memory;
    spmv_status status;
    size_t value_bytes, bytes;
    spmv_job job;

    if (plan == NULL || columns < 0 || (order != SPMV_ROW_MAJOR && order != SPMV_COLUMN_MAJOR))
        return SPMV_INVALID_ARGUMENT;
    job = spmv_job_of(&plan->layout, alpha, beta);
    run.alpha = job.alpha;
    run.beta = job.beta;
    value_bytes = spmv_value_bytes(plan->layout.csr.value_type);
    run.x = spmv_dense_of(order, x, ldx, plan->layout.csr.cols, columns, value_bytes);
    run.y = spmv_dense_of(order, y, ldy, plan->layout.csr.rows, columns, value_bytes);
    memory = memory_of(plan, order, columns > 0 ? columns : 1);
    bytes = spmv_plan_columns_workspace_size(plan, order, columns);
    status = check_columns(&run, ldx, ldy, bytes);
    if (status != SPMV_OK || columns == 0 || plan->layout.csr.rows == 0)
        return status;
    if (workspace != NULL || bytes == 0)
        return multiply(&run, &memory);
    return multiply_in_own(&run, &memory, bytes);
}
