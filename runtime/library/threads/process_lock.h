/* process_lock.h: locks that a forked child does not inherit.
 *
 * A child of fork() has a copy of every lock, but of its parent's threads only the one that forked:
 * nobody in the child releases what the others held. So a lock holds the number of forks that lead
 * to the process whose thread has it, and a lock of an ancestor is free.
 */
#ifndef SPMV_PROCESS_LOCK_H
#define SPMV_PROCESS_LOCK_H

#include "runtime/base/atomic.h"

/* Counts the forks from now on. Returns 0 if the system has no memory for that, otherwise 1. */
int spmv_forks_count(void);

/* A number that is larger in a child than in its parent, if forks were counted there. */
int32_t spmv_forks(void);

typedef enum spmv_lock_result {
    SPMV_LOCK_REFUSED,           /* another thread of this process has the lock */
    SPMV_LOCK_TAKEN,
    SPMV_LOCK_INHERITED          /* taken; the thread that held it in an ancestor may have been
                                    anywhere in its work */
} spmv_lock_result;

spmv_lock_result spmv_process_lock_try(spmv_atomic *lock);
void spmv_process_lock_release(spmv_atomic *lock);

#endif
