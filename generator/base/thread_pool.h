/* thread_pool.h: pieces of work that share nothing, done on some threads. */
#ifndef SG_THREAD_POOL_H
#define SG_THREAD_POOL_H

#include <stddef.h>

/* Calls work(context, i) once for each i below count, on up to `jobs` threads, of which one is the
 * caller's. Which thread takes which piece, and when, is open; returns when all are done. */
void sg_crew_run(int jobs, size_t count, void (*work)(void *context, size_t index), void *context);

#endif
