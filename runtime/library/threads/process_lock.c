/* process_lock.c: see process_lock.h. Thread-safe. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/library/threads/process_lock.h"

#include <pthread.h>

static spmv_atomic forks;
static spmv_atomic is_counting;

static void count_fork(void)
{
    spmv_atomic_set(&forks, spmv_atomic_get(&forks) + 1);
}

/* Two threads that register the handler at the same time make it count by two, which does no
 * harm. */
int spmv_forks_count(void)
{
    if (spmv_atomic_get(&is_counting) == 0 && pthread_atfork(NULL, NULL, count_fork) == 0)
        spmv_atomic_set(&is_counting, 1);
    return spmv_atomic_get(&is_counting);
}

int32_t spmv_forks(void)
{
    return spmv_atomic_get(&forks);
}

spmv_lock_result spmv_process_lock_try(spmv_atomic *lock)
{
    const int32_t own = spmv_forks() + 1;
    int32_t holder = 0;

    if (spmv_atomic_replace(lock, &holder, own))
        return SPMV_LOCK_TAKEN;
    return holder != own && spmv_atomic_replace(lock, &holder, own) ? SPMV_LOCK_INHERITED
                                                                    : SPMV_LOCK_REFUSED;
}

void spmv_process_lock_release(spmv_atomic *lock)
{
    spmv_atomic_set(lock, 0);
}
