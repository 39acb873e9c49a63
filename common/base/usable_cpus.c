/* usable_cpus.c: see usable_cpus.h. Thread-safe. */
#define _GNU_SOURCE                      /* sched_getaffinity */
#include "common/base/usable_cpus.h"

#include "common/base/cpu_quota.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static int32_t known_quota(void)
{
    static _Atomic int32_t known;        /* 0: not read yet */
    int32_t quota = atomic_load(&known);

    if (quota == 0) {
        quota = spmv_cpu_quota("");
        atomic_store(&known, quota);
    }
    return quota;
}

int32_t spmv_usable_cpus(void)
{
    const int32_t quota = known_quota();
    long cpus = 0;

#ifdef CPU_COUNT
    cpu_set_t usable;

    if (sched_getaffinity(0, sizeof usable, &usable) == 0)
        cpus = CPU_COUNT(&usable);
#endif
    if (cpus < 1)
        cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (cpus < 1)
        cpus = 1;
    return cpus < quota ? (int32_t)cpus : quota;
}
