/* execute.c: one multiplication. Allocates nothing; any number may run at once. */
#include "plan.h"

#include "overlap.h"
#include "steps.h"
#include "types.h"

/* ---- arguments ----------------------------------------------------------------------------- */

/* Does what will be written reach into what the plan reads? x may, since nobody writes it. */
static int reaches_into_plan(const spmv_layout *layout, const void *memory, size_t bytes)
{
    for (int32_t i = 0; i < layout->array_count; i++)
        if (spmv_do_overlap(memory, bytes, layout->array[i].data, layout->array[i].bytes))
            return 1;
    return spmv_csr_overlap(&layout->csr, memory, bytes) != 0;
}

/* workspace: what the caller gave; NULL for the plan's own. */
static spmv_status check_arguments(const spmv_layout *layout, const spmv_job *job)
{
    const spmv_csr *csr = &layout->csr;
    const size_t alignment = spmv_value_alignment(csr->value_type);
    const size_t x_bytes = (size_t)csr->cols * spmv_value_bytes(csr->value_type);
    const size_t y_bytes = (size_t)csr->rows * spmv_value_bytes(csr->value_type);
    const int x_is_read = job->alpha != 0 && csr->cols > 0;

    if ((job->x == NULL && x_is_read) || (job->y == NULL && csr->rows > 0))
        return SPMV_INVALID_ARGUMENT;
    if (!spmv_is_aligned(job->x, alignment) || !spmv_is_aligned(job->y, alignment))
        return SPMV_INVALID_ARGUMENT;
    if (layout->workspace_bytes > 0 && !spmv_is_aligned(job->workspace, SPMV_ALIGNMENT))
        return SPMV_INVALID_ARGUMENT;
    if (spmv_do_overlap(job->x, x_bytes, job->y, y_bytes) ||
        spmv_do_overlap(job->workspace, layout->workspace_bytes, job->x, x_bytes) ||
        spmv_do_overlap(job->workspace, layout->workspace_bytes, job->y, y_bytes) ||
        reaches_into_plan(layout, job->y, y_bytes) ||
        reaches_into_plan(layout, job->workspace, layout->workspace_bytes))
        return SPMV_ALIASING;
    return SPMV_OK;
}

/* ---- running ------------------------------------------------------------------------------- */

/* As the module will see it; zero is decided on the rounded number. */
static double round_scalar(double value, spmv_value_type type)
{
    return type == SPMV_F32 ? (double)(float)value : value;
}

static spmv_status launch(const spmv_plan *plan, const spmv_job *job)
{
    spmv_step step[SPMV_MAX_STEPS];

    return spmv_steps_run(job, step, plan->module->ops->launches(job, step), plan->threads);
}

spmv_status spmv_execute(const spmv_plan *plan, double alpha, const void *x, double beta, void *y,
                         void *workspace)
{
    spmv_job job = {.x = x, .y = y, .workspace = workspace};
    spmv_status status;

    if (plan == NULL)
        return SPMV_INVALID_ARGUMENT;
    job.layout = &plan->layout;
    job.alpha = round_scalar(alpha, plan->layout.csr.value_type);
    job.beta = round_scalar(beta, plan->layout.csr.value_type);
    status = check_arguments(&plan->layout, &job);
    if (status != SPMV_OK || plan->layout.csr.rows == 0)
        return status;
    if (workspace != NULL || plan->layout.workspace_bytes == 0)
        return launch(plan, &job);

    if (atomic_flag_test_and_set_explicit(&plan->scratch->busy, memory_order_acquire))
        return SPMV_BUSY;
    job.workspace = plan->scratch->memory;
    status = launch(plan, &job);
    atomic_flag_clear_explicit(&plan->scratch->busy, memory_order_release);
    return status;
}
