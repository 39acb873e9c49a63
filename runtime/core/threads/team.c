/* team.c: the parts of a team's members. */
#include "runtime/core/threads/team.h"

#include "runtime/base/cache_line.h"
#include "runtime/base/float_control.h"

#include <stddef.h>

/* What the members read. Each cache line that the caller wrote takes a helper thread 0.1 us. */
typedef struct SPMV_LINE_ALIGNED team_job {
    spmv_run_part *run;
    void *argument;
    int32_t parts;
    int32_t calls;               /* of parallel_for: each does several parts, if there are fewer */
    spmv_float_control control;  /* of the calling thread */
} team_job;

/* A thread has its own rounding mode and treatment of subnormal numbers. For the job
 * it takes over the caller's, so that results do not depend on the thread that computes a row. */
static void run_elsewhere(const team_job *job, int32_t first, int32_t step)
{
    spmv_float_control own;

    SPMV_FETCH_LINES(job->argument);
    spmv_float_control_enter(&job->control, &own);
    for (int32_t part = first; part < job->parts; part += step)
        job->run(job->argument, part);
    spmv_float_control_leave(&own);
}

/* The caller's parallel_for calls this from any of its threads. */
static void run_one(void *context, int32_t call)
{
    const team_job *job = (const team_job *)context;

    if (call >= 0 && call < job->calls)
        run_elsewhere(job, call, job->calls);
}

static void run_member(const void *context, int32_t member, int32_t members)
{
    const team_job *job = (const team_job *)context;

    if (member > 0)
        run_elsewhere(job, member, members);
    else
        for (int32_t part = 0; part < job->parts; part += members)
            job->run(job->argument, part);
}

void spmv_team_run(const spmv_threads *threads, int32_t parts, spmv_run_part *run, void *argument)
{
    team_job job;

    job.run = run;
    job.argument = argument;
    job.parts = parts;
    job.calls = spmv_team_most(parts);
    if (job.calls <= 1) {
        run_member(&job, 0, 1);
        return;
    }
    spmv_float_control_get(&job.control);
    if (threads->parallel_for != NULL)
        threads->parallel_for(threads->context, job.calls, run_one, &job);
    else
        spmv_team_start(threads, job.calls, run_member, &job);
}

enum { THREAD_WEIGHT = 4096 };   /* rows or nonzeros that make waking a thread worthwhile */

int32_t spmv_useful_threads(const spmv_csr *csr, int32_t threads)
{
    const int64_t useful = csr->rows / THREAD_WEIGHT + csr->nnz / THREAD_WEIGHT;

    return useful < 1 ? 1 : useful < threads ? (int32_t)useful : threads;
}
