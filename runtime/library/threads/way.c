/* way.c: see way.h; also what team.h has from the shell. Thread-safe. */
#include "runtime/library/threads/way.h"

#include "common/base/usable_cpus.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_uint trial;

void spmv_team_retry(void)
{
    atomic_fetch_add_explicit(&trial, 1, memory_order_relaxed);
}

/* As many as OpenMP has, within the process's quota of CPUs; without OpenMP or with parallel_for,
 * one for each CPU that the process may use. */
spmv_threads spmv_threads_wanted(int32_t wanted, spmv_parallel_for *parallel_for, void *context)
{
    spmv_threads threads = {wanted, 0, parallel_for, context};

#if defined(SPMV_PTHREADS)
    if (wanted == 0)
        threads.count = spmv_usable_cpus();
#elif defined(_OPENMP)
    if (wanted == 0)
        threads.count = parallel_for != NULL ? spmv_usable_cpus() : spmv_openmp_usable_threads();
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

int32_t spmv_team_most(int32_t parts)
{
    const int32_t limit = spmv_thread_limit();

    return limit > 0 && limit < parts ? limit : parts;
}

void spmv_team_start(const spmv_threads *threads, int32_t members, spmv_run_member *run,
                     const void *job)
{
#if defined(SPMV_PTHREADS)
    (void)threads;
    spmv_pool_run(members, atomic_load_explicit(&trial, memory_order_relaxed), run, job);
#elif defined(_OPENMP)
    spmv_openmp_run(spmv_team_most(members > threads->least ? members : threads->least),
                    atomic_load_explicit(&trial, memory_order_relaxed), run, job);
#else
    (void)threads;
    (void)members;
    run(job, 0, 1);
#endif
}
