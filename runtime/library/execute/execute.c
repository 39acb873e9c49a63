/* execute.c: one multiplication. On a CPU it allocates nothing. Any number of them may
 * run concurrently. */
#include "runtime/library/plan/plan.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/options.h"
#include "runtime/core/job.h"
#include "runtime/core/shell.h"
#include "runtime/library/execute/scratch.h"
#include "runtime/library/execute/team_size.h"
#include "runtime/library/plan/shares.h"
#include "runtime/library/threads/step_profile.h"

#include <stddef.h>

/* The struct's size in the first release: no program was compiled with less. */
enum { FIRST_OPTIONS = offsetof(spmv_enqueue_options, event) + sizeof(void *) };

/* The caller's array for the times of steps. */
typedef struct profile {
    spmv_step_time *time;        /* SPMV_MAX_STEPS of them */
    int32_t count;
} profile;

static void run_on(const spmv_plan *plan, const spmv_job *job, int32_t size)
{
    const spmv_prepared *p = &plan->prepared;
    const spmv_shares *shares = plan->scratch->shares;
    spmv_threads threads;

    if (size <= 1) {
        for (int32_t i = 0; i < p->steps; i++)
            p->step[i].run(job, 0, p->step[i].grid);
        return;
    }
    threads = plan->core.threads;
    threads.count = size;
    if (spmv_shares_are_cut(shares, size))
        spmv_shares_run(shares, p, job, &threads);
    else
        (void)spmv_steps_run(job, p->step, p->steps, &threads);
}

/* The same, timed. On several threads, the first such runs time chunks to cut the steps by. */
static void run_timed(const spmv_plan *plan, const spmv_job *job, int32_t size)
{
    spmv_shares *shares = plan->scratch->shares;
    const double start = spmv_seconds_now();
    spmv_threads threads = plan->core.threads;

    if (size < 0 && shares != NULL && !spmv_shares_are_cut(shares, -size)) {
        threads.count = -size;
        spmv_shares_run_timed(shares, &plan->prepared, job, &threads);
        return;
    }
    run_on(plan, job, -size);
    spmv_team_size_tell(plan, size, spmv_seconds_now() - start);
}

/* Runs the prepared steps, on as many threads as pay. That is not found out under a limit of
 * threads, since the limit may be raised. */
static void run_prepared(const spmv_plan *plan, const spmv_job *job)
{
    const int32_t size = spmv_team_size(plan);
    const int32_t limit = spmv_thread_limit();

    if (size > 0) {
        run_on(plan, job, size);
        return;
    }
    if (limit > 0 && limit < plan->core.threads.count) {
        run_on(plan, job, limit > 1 ? plan->core.threads.count : 1);
        return;
    }
    run_timed(plan, job, size);
}

/* Runs steps that are not prepared. p == NULL: no profile. */
static spmv_status launch(const spmv_plan *plan, const spmv_job *job, profile *p)
{
    spmv_step step[SPMV_MAX_STEPS];
    spmv_threads threads = plan->core.threads;
    int32_t count;

    if (spmv_team_size(plan) > 0)
        threads.count = spmv_team_size(plan);
    count = plan->core.module->ops->launches(job, step);
    return p != NULL ? spmv_steps_profile(job, step, count, &threads, p->time, &p->count)
                     : spmv_steps_run(job, step, count, &threads);
}

/* Multiplies checked operands; alpha and beta are rounded. The job is const, because GCC fills a
 * variable one by `rep stos`, which takes longer than all checks together. */
static inline spmv_status multiply(const spmv_plan *plan, double alpha, const void *x, double beta,
                                   void *y, void *workspace, profile *p)
{
    const spmv_job job = {
        .layout = &plan->core.layout, .alpha = alpha, .beta = beta, .x = x, .y = y,
        .workspace = workspace,
    };

    if (p == NULL && alpha != 0 && plan->prepared.steps > 0) {
        run_prepared(plan, &job);
        return SPMV_OK;
    }
    if (plan->backend != NULL)
        return plan->backend->execute(plan->backend_state, &job, p != NULL ? p->time : NULL,
                                      p != NULL ? &p->count : NULL);
    return launch(plan, &job, p);
}

static inline spmv_status execute(const spmv_plan *plan, double alpha, const void *x, double beta,
                                  void *y, void *workspace, profile *p)
{
    const spmv_operands *operands = &plan->prepared.operands;
    const spmv_ranges *ranges = &plan->prepared.ranges;
    const size_t workspace_bytes = plan->core.layout.workspace_bytes;
    spmv_status status;

    alpha = spmv_round_scalar(alpha, plan->core.layout.csr.value_type);
    beta = spmv_round_scalar(beta, plan->core.layout.csr.value_type);
    status = spmv_operands_check(operands, ranges, alpha, x, y);
    if (status == SPMV_OK && workspace != NULL)
        status = spmv_workspace_check(workspace, workspace_bytes, operands, ranges, x, y);
    if (status != SPMV_OK || operands->y_bytes == 0)
        return status;
    if (workspace_bytes == 0 || workspace != NULL || plan->backend != NULL)
        return multiply(plan, alpha, x, beta, y, workspace, p);

    if (!spmv_scratch_take(plan->scratch))
        return SPMV_BUSY;
    status = multiply(plan, alpha, x, beta, y, plan->core.workspace, p);
    spmv_scratch_give_back(plan->scratch);
    return status;
}

spmv_status spmv_plan_launch(const spmv_core *core, const spmv_job *job)
{
    const spmv_plan *plan = spmv_plan_of_core(core);
    spmv_step step[SPMV_MAX_STEPS];

    if (plan->backend != NULL)
        return plan->backend->execute(plan->backend_state, job, NULL, NULL);
    return spmv_steps_run(job, step, core->module->ops->launches(job, step), &core->threads);
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
    job = spmv_job_of(&plan->core.layout, alpha, beta);
    return plan->backend->enqueue(plan->backend_state, &job, x, y, &known);
}
