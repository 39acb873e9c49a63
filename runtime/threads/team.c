/* team.c: chooses the implementation of a team, and assigns parts to its members. */
#define _GNU_SOURCE                      /* sched_getaffinity */
#include "runtime/threads/team.h"

#include <fenv.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_uint trial;

void spmv_team_retry(void)
{
    atomic_fetch_add_explicit(&trial, 1, memory_order_relaxed);
}

/* ---- how many ------------------------------------------------------------------------------ */

int32_t spmv_usable_cpus(void)
{
    long cpus = 0;

#ifdef CPU_COUNT
    cpu_set_t usable;

    if (sched_getaffinity(0, sizeof usable, &usable) == 0)
        cpus = CPU_COUNT(&usable);
#endif
    if (cpus < 1)
        cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return cpus < 1 ? 1 : cpus < SPMV_MAX_THREADS ? (int32_t)cpus : SPMV_MAX_THREADS;
}

spmv_threads spmv_threads_wanted(int32_t wanted, spmv_parallel_for *parallel_for, void *context)
{
    spmv_threads threads = {.count = wanted, .parallel_for = parallel_for, .context = context};

#if defined(SPMV_PTHREADS)
    if (wanted == 0)
        threads.count = spmv_usable_cpus();
#elif defined(_OPENMP)
    if (wanted == 0)
        threads.count = parallel_for != NULL ? spmv_usable_cpus() : spmv_openmp_threads();
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

/* ---- parts --------------------------------------------------------------------------------- */

typedef struct team_job {
    fenv_t environment;          /* of the calling thread */
    int32_t parts;
    spmv_run_part *run;
    void *argument;
} team_job;

/* A thread has its own rounding mode and treatment of subnormal numbers. For the job
 * it takes over the caller's, so that results do not depend on the thread that computes a row. */
static void run_elsewhere(const team_job *job, int32_t first, int32_t step)
{
    fenv_t own;

    fegetenv(&own);
    fesetenv(&job->environment);
    for (int32_t part = first; part < job->parts; part += step)
        job->run(job->argument, part);
    fesetenv(&own);
}

static void run_here(const team_job *job, int32_t step)
{
    for (int32_t part = 0; part < job->parts; part += step)
        job->run(job->argument, part);
}

#if defined(SPMV_PTHREADS) || defined(_OPENMP)

static void run_member(const void *context, int32_t member, int32_t members)
{
    const team_job *job = (const team_job *)context;

    if (member == 0)
        run_here(job, members);
    else if (member < job->parts)
        run_elsewhere(job, member, members);
}

#endif

/* The caller's parallel_for calls this from any of its threads. */
static void run_one(void *context, int32_t part)
{
    const team_job *job = (const team_job *)context;

    if (part >= 0 && part < job->parts)
        run_elsewhere(job, part, job->parts);
}

/* A team of OpenMP or of the pool. */
static void run_own(const spmv_threads *threads, const team_job *job)
{
#if defined(SPMV_PTHREADS)
    (void)threads;
    spmv_pool_run(job->parts, atomic_load_explicit(&trial, memory_order_relaxed), run_member, job);
#elif defined(_OPENMP)
    spmv_openmp_run(job->parts > threads->least ? job->parts : threads->least,
                    atomic_load_explicit(&trial, memory_order_relaxed), run_member, job);
#else
    (void)threads;
    run_here(job, 1);
#endif
}

void spmv_team_run(const spmv_threads *threads, int32_t parts, spmv_run_part *run, void *argument)
{
    team_job job = {.parts = parts, .run = run, .argument = argument};

    if (parts <= 1) {
        run_here(&job, 1);
        return;
    }
    fegetenv(&job.environment);
    if (threads->parallel_for != NULL)
        threads->parallel_for(threads->context, parts, run_one, &job);
    else
        run_own(threads, &job);
}
