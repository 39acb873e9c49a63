/* thread.h: starting threads that do not run the program's signal handlers. */
#ifndef SPMV_THREAD_H
#define SPMV_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* Starts a thread that blocks all signals but those of its own faults and of profilers.
 * stack_bytes: 0 for the default. Returns 0 or an errno. */
int spmv_thread_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *), void *argument);

#endif
