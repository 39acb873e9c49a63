/* thread.h: starting threads that keep out of the program's way. */
#ifndef SPMV_THREAD_H
#define SPMV_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* Starts a thread that takes no signal but those of its own faults and of profilers: the program's
 * handlers run on the program's threads. stack_bytes: 0 for the default. Returns 0 or an errno. */
int spmv_thread_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *), void *argument);

#endif
