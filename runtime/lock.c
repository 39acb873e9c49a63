/* lock.c: see lock.h. */
#define _POSIX_C_SOURCE 200809L
#include "lock.h"

#include <sched.h>

void spmv_lock_take(atomic_flag *lock)
{
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
        sched_yield();
}

void spmv_lock_leave(atomic_flag *lock)
{
    atomic_flag_clear_explicit(lock, memory_order_release);
}
