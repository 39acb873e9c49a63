/* execute.c: one multiplication. On a CPU it allocates nothing. Any number of them may
 * run concurrently. */
#include "runtime/plan/plan.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/module/layout.h"
#include "runtime/base/options.h"
#include "runtime/base/overlap.h"
#include "runtime/threads/step_runner.h"
#include "runtime/base/types.h"

#include <stddef.h>

/* The struct's size in the first release: no program was compiled with less. */
enum { FIRST_OPTIONS = offsetof(spmv_enqueue_options, event) + sizeof(void *) };

/* ---- arguments ----------------------------------------------------------------------------- */

/* Whether memory that will be written overlaps an array that the plan reads. x is only read, so it
 * may overlap the plan. */
static int reaches_into_plan(const spmv_layout *layout, const void *memory, size_t bytes)
{
    return spmv_layout_overlaps(layout, memory, bytes) ||
           spmv_csr_overlap(&layout->csr, memory, bytes) != 0;
}

/* job->workspace: the caller's; NULL: the plan's own. */
static spmv_status check_arguments(const spmv_layout *layout, const spmv_job *job)
{
    const spmv_csr *csr = &layout->csr;
    const size_t alignment = spmv_value_alignment(csr->value_type);
    const size_t x_bytes = spmv_layout_x_bytes(layout);
    const size_t y_bytes = spmv_layout_y_bytes(layout);
    const int x_is_read = job->alpha != 0 && csr->cols > 0;

    if ((job->x == NULL && x_is_read) || (job->y == NULL && csr->rows > 0))
        return SPMV_INVALID_ARGUMENT;
    if (!spmv_is_aligned(job->x, alignment) || !spmv_is_aligned(job->y, alignment))
        return SPMV_INVALID_ARGUMENT;
    /* Checked even if no workspace is needed: which calls are valid must not depend on the
     * method. */
    if (!spmv_is_aligned(job->workspace, SPMV_ALIGNMENT))
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

/* Rounds alpha or beta to the value type, since the rounded number decides whether it is zero.
 * volatile: GCC 12 vectorises two calls side by side and loses the conversion to float and back. */
static double round_scalar(double value, spmv_value_type type)
{
    const volatile float rounded = (float)value;

    return type == SPMV_F32 ? (double)rounded : value;
}

static spmv_job job_of(const spmv_plan *plan, double alpha, double beta)
{
    return (spmv_job){
        .layout = &plan->layout,
        .alpha = round_scalar(alpha, plan->layout.csr.value_type),
        .beta = round_scalar(beta, plan->layout.csr.value_type),
    };
}

/* The caller's array for the times of steps. */
typedef struct profile {
    spmv_step_time *time;        /* SPMV_MAX_STEPS of them */
    int32_t count;
} profile;

/* p == NULL: no profile. */
static spmv_status launch(const spmv_plan *plan, const spmv_job *job, profile *p)
{
    spmv_step step[SPMV_MAX_STEPS];
    const int32_t count = plan->module->ops->launches(job, step);
    spmv_status status = SPMV_OK;

    if (p == NULL || count < 0 || count > SPMV_MAX_STEPS)
        return spmv_steps_run(job, step, count, &plan->threads);
    for (; p->count < count && status == SPMV_OK; p->count++) {
        const double start = spmv_seconds_now();
        status = spmv_steps_run(job, &step[p->count], 1, &plan->threads);
        p->time[p->count] = (spmv_step_time){step[p->count].name, spmv_seconds_now() - start};
    }
    return status;
}

static spmv_status execute(const spmv_plan *plan, double alpha, const void *x, double beta, void *y,
                           void *workspace, profile *p)
{
    const spmv_layout *layout = &plan->layout;
    spmv_job job = job_of(plan, alpha, beta);
    spmv_status status;

    job.x = x;
    job.y = y;
    job.workspace = workspace;
    status = check_arguments(layout, &job);
    if (status != SPMV_OK || layout->csr.rows == 0)
        return status;
    if (plan->backend != NULL)
        return plan->backend->execute(plan->backend_state, &job, p != NULL ? p->time : NULL,
                                      p != NULL ? &p->count : NULL);
    if (workspace != NULL || layout->workspace_bytes == 0)
        return launch(plan, &job, p);

    if (atomic_flag_test_and_set_explicit(&plan->scratch->busy, memory_order_acquire))
        return SPMV_BUSY;
    job.workspace = plan->scratch->memory;
    status = launch(plan, &job, p);
    atomic_flag_clear_explicit(&plan->scratch->busy, memory_order_release);
    return status;
}

spmv_status spmv_execute(const spmv_plan *plan, double alpha, const void *x, double beta, void *y,
                         void *workspace)
{
    return plan != NULL ? execute(plan, alpha, x, beta, y, workspace, NULL)
                        : SPMV_INVALID_ARGUMENT;
}

spmv_status spmv_execute_profile(const spmv_plan *plan, double alpha, const void *x, double beta,
                                 void *y, void *workspace, spmv_step_time *time, int32_t *count)
{
    profile p = {time, 0};
    spmv_status status;

    if (plan == NULL || time == NULL || count == NULL)
        return SPMV_INVALID_ARGUMENT;
    status = execute(plan, alpha, x, beta, y, workspace, &p);
    *count = p.count;
    return status;
}

spmv_status spmv_enqueue(const spmv_plan *plan, double alpha, void *x, double beta, void *y,
                         const spmv_enqueue_options *options)
{
    spmv_enqueue_options known = {0};
    spmv_job job;

    if (plan == NULL || (options != NULL && options->struct_size == 0) ||
        spmv_options_read(&known, sizeof known, FIRST_OPTIONS, options, NULL) != SPMV_OK)
        return SPMV_INVALID_ARGUMENT;
    if (known.wait_count > 0 && known.wait == NULL)
        return spmv_error_set(known.err, SPMV_INVALID_ARGUMENT,
                              "spmv_enqueue options: wait is NULL, "
                              "but wait_count is %u",
                              (unsigned)known.wait_count);
    if (plan->backend == NULL)
        return spmv_error_set(known.err, SPMV_UNSUPPORTED,
                              "spmv_enqueue: the plan's kernels run on the "
                              "CPU; spmv_execute runs them");
    job = job_of(plan, alpha, beta);
    return plan->backend->enqueue(plan->backend_state, &job, x, y, &known);
}
