/* thread_pool.h: runs independent pieces of work on several threads. */
#ifndef SG_THREAD_POOL_H
#define SG_THREAD_POOL_H

#include <stddef.h>

/* Calls work(context, i) once for each i below count, on at most `jobs` threads, the caller's among
 * them. The order is not defined. Returns when all calls have returned. */
void sg_thread_pool_run(int jobs, size_t count, void (*work)(void *context, size_t index),
                        void *context);

#endif
