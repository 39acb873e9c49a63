/* lock.h: a lock for what is held shortly, or by a driver that takes its time: who waits for it leaves
 * the CPU to others. A cleared atomic_flag is open. */
#ifndef SPMV_LOCK_H
#define SPMV_LOCK_H

#include <stdatomic.h>

void spmv_lock_take(atomic_flag *lock);
void spmv_lock_leave(atomic_flag *lock);

#endif
