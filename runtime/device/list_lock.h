/* list_lock.h: the lock of a list. Bundles need no library of threads; their lists are short. */
#ifndef SPMV_LIST_LOCK_H
#define SPMV_LIST_LOCK_H

#if SPMV_BUNDLE

#include "runtime/base/atomic.h"

typedef spmv_atomic spmv_list_lock;

static inline void spmv_list_lock_begin(spmv_list_lock *lock)
{
    spmv_atomic_set(lock, 0);
}

static inline void spmv_list_lock_end(spmv_list_lock *lock)
{
    (void)lock;
}

static inline void spmv_list_lock_take(spmv_list_lock *lock)
{
    while (!spmv_atomic_try_lock(lock))
        continue;
}

static inline void spmv_list_lock_leave(spmv_list_lock *lock)
{
    spmv_atomic_unlock(lock);
}

#else

#include <pthread.h>
#include <stddef.h>

typedef pthread_mutex_t spmv_list_lock;

static inline void spmv_list_lock_begin(spmv_list_lock *lock)
{
    pthread_mutex_init(lock, NULL);
}

static inline void spmv_list_lock_end(spmv_list_lock *lock)
{
    pthread_mutex_destroy(lock);
}

static inline void spmv_list_lock_take(spmv_list_lock *lock)
{
    pthread_mutex_lock(lock);
}

static inline void spmv_list_lock_leave(spmv_list_lock *lock)
{
    pthread_mutex_unlock(lock);
}

#endif

#endif
