/* team.c: a team: its implementation, and the parts of its members. */
#include "runtime/core/threads/team.h"

#include "runtime/core/threads/float_control.h"

#include <stddef.h>

#if !SPMV_BUNDLE
#include "common/base/usable_cpus.h"

#include <stdatomic.h>

static atomic_uint trial;

void spmv_team_retry(void)
{
    atomic_fetch_add_explicit(&trial, 1, memory_order_relaxed);
}
#endif

#if !SPMV_BUNDLE_STATIC
/* ---- how many ------------------------------------------------------------------------------ */

spmv_threads spmv_threads_wanted(int32_t wanted, spmv_parallel_for *parallel_for, void *context)
{
    spmv_threads threads = {wanted, 0, parallel_for, context};

#if SPMV_BUNDLE
    if (parallel_for == NULL)
        threads.count = spmv_openmp_threads(wanted);
#elif defined(SPMV_PTHREADS)
    if (wanted == 0)
        threads.count = spmv_usable_cpus();
#elif defined(_OPENMP)
    if (wanted == 0)
        threads.count = parallel_for != NULL ? spmv_usable_cpus()
                                             : spmv_openmp_usable_threads();
#else
    if (parallel_for == NULL)
        threads.count = 1;
    else if (wanted == 0)
        threads.count = spmv_usable_cpus();
#endif
    if (threads.count > SPMV_MAX_THREADS)
        threads.count = SPMV_MAX_THREADS;
    return threads;
}
#endif

#if !SPMV_BUNDLE
/* ---- the limit ----------------------------------------------------------------------------- */

static int32_t limited(int32_t threads)
{
    const int32_t limit = spmv_thread_limit();

    return limit > 0 && limit < threads ? limit : threads;
}

/* Work of more parts than threads may run: each of `members` new parts does several of them. */
typedef struct limited_work {
    int32_t parts, members;
    spmv_run_part *run;
    void *argument;
} limited_work;

static void run_several(void *argument, int32_t member)
{
    const limited_work *work = (const limited_work *)argument;

    for (int32_t part = member; part < work->parts; part += work->members)
        work->run(work->argument, part);
}
#endif

/* ---- parts --------------------------------------------------------------------------------- */

/* What the members read. Each cache line that the caller wrote takes a helper thread 0.1 us. */
typedef struct SPMV_LINE_ALIGNED team_job {
    spmv_run_part *run;
    void *argument;
    int32_t parts;
    spmv_float_control control;  /* of the calling thread */
} team_job;

#if !SPMV_BUNDLE
enum { ARGUMENT_LINES = 3 };     /* of the argument that are prefetched, even if it is shorter */
#endif

/* A thread has its own rounding mode and treatment of subnormal numbers. For the job
 * it takes over the caller's, so that results do not depend on the thread that computes a row. */
static void run_elsewhere(const team_job *job, int32_t first, int32_t step)
{
    spmv_float_control own;

#if !SPMV_BUNDLE
#ifdef __GNUC__
    for (int32_t i = 0; i < ARGUMENT_LINES; i++)
        __builtin_prefetch((const char *)job->argument + i * SPMV_LINE_BYTES);
#endif
#endif
    spmv_float_control_enter(&job->control, &own);
    for (int32_t part = first; part < job->parts; part += step)
        job->run(job->argument, part);
    spmv_float_control_leave(&own);
}

static void run_here(const team_job *job, int32_t step)
{
    for (int32_t part = 0; part < job->parts; part += step)
        job->run(job->argument, part);
}

/* The caller's parallel_for calls this from any of its threads. */
static void run_one(void *context, int32_t part)
{
    const team_job *job = (const team_job *)context;

    if (part >= 0 && part < job->parts)
        run_elsewhere(job, part, job->parts);
}

#if !SPMV_BUNDLE_STATIC

static void run_member(const void *context, int32_t member, int32_t members)
{
    const team_job *job = (const team_job *)context;

    if (member == 0)
        run_here(job, members);
    else if (member < job->parts)
        run_elsewhere(job, member, members);
}

/* A team of OpenMP or of the pool. */
static void run_own(const spmv_threads *threads, const team_job *job)
{
    const int32_t wanted = job->parts > threads->least ? job->parts : threads->least;

#if SPMV_BUNDLE
    (void)spmv_openmp_team(wanted, run_member, job);
#elif defined(SPMV_PTHREADS)
    (void)wanted;
    spmv_pool_run(job->parts, atomic_load_explicit(&trial, memory_order_relaxed), run_member, job);
#elif defined(_OPENMP)
    spmv_openmp_run(limited(wanted), atomic_load_explicit(&trial, memory_order_relaxed),
                    run_member, job);
#else
    (void)wanted;
    run_member(job, 0, 1);
#endif
}

#endif

void spmv_team_run(const spmv_threads *threads, int32_t parts, spmv_run_part *run, void *argument)
{
    team_job job;
#if !SPMV_BUNDLE
    limited_work work = {parts, limited(parts), run, argument};

    if (work.members < parts) {
        parts = work.members;
        run = run_several;
        argument = &work;
    }
#endif

    job.parts = parts;
    job.run = run;
    job.argument = argument;
    if (parts <= 1) {
        run_here(&job, 1);
        return;
    }
    spmv_float_control_get(&job.control);
    if (threads->parallel_for != NULL)
        threads->parallel_for(threads->context, parts, run_one, &job);
#if !SPMV_BUNDLE_STATIC
    else
        run_own(threads, &job);
#endif
}
