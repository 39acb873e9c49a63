/* openmp.c: a team of OpenMP's threads. Without OpenMP it is the calling thread. */
#include "runtime/core/threads/team.h"

#ifdef _OPENMP

#include <omp.h>

int32_t spmv_openmp_threads(int32_t wanted)
{
    return wanted > 0 ? wanted : omp_get_max_threads();
}

int32_t spmv_openmp_team(int32_t wanted, spmv_run_member *run, const void *job)
{
    int32_t members = 1;

    /* The team may be smaller, inside another region or with OMP_DYNAMIC. */
#pragma omp parallel num_threads(wanted)
    {
        const int32_t member = omp_get_thread_num();

        if (member == 0)
            members = omp_get_num_threads();
        run(job, member, omp_get_num_threads());
    }
    return members;
}

#else

int32_t spmv_openmp_threads(int32_t wanted)
{
    (void)wanted;
    return 1;
}

int32_t spmv_openmp_team(int32_t wanted, spmv_run_member *run, const void *job)
{
    (void)wanted;
    run(job, 0, 1);
    return 1;
}

#endif
