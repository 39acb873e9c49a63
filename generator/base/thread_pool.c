/* thread_pool.c: each thread takes the next piece of work until none is left; the threads share
 * nothing but the counter. */
#include "generator/base/thread_pool.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MAX_THREADS = 256 };

typedef struct thread_pool {
    void (*work)(void *context, size_t index);
    void *context;
    size_t count;
    atomic_size_t next;
} thread_pool;

static void *take_work(void *argument)
{
    thread_pool *pool = argument;

    for (;;) {
        const size_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->count)
            return NULL;
        pool->work(pool->context, index);
    }
}

void sg_thread_pool_run(int jobs, size_t count, void (*work)(void *context, size_t index),
                        void *context)
{
    pthread_t threads[MAX_THREADS];
    size_t wanted = jobs > MAX_THREADS ? MAX_THREADS : (size_t)jobs;
    size_t started = 0;
    thread_pool pool = { .work = work, .context = context, .count = count };

    if (wanted > count)
        wanted = count;
    /* The calling thread works too. If a thread does not start, the others do its work. */
    while (started + 1 < wanted && !pthread_create(&threads[started], NULL, take_work, &pool))
        started++;
    take_work(&pool);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
