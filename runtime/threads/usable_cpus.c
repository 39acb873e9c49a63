/* usable_cpus.c: how many CPUs the process may use. */
#define _GNU_SOURCE                      /* sched_getaffinity */
#include "runtime/threads/team.h"

#include <sched.h>
#include <unistd.h>

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
