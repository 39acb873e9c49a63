/* thread_pool.c: a worker takes the next piece until there is none; the counter is all that they share. */
#include "generator/base/thread_pool.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MAX_THREADS = 256 };

typedef struct crew {
    void (*work)(void *context, size_t index);
    void *context;
    size_t count;
    atomic_size_t next;
} crew;

static void *take_pieces(void *argument)
{
    crew *c = argument;

    for (;;) {
        const size_t index = atomic_fetch_add(&c->next, 1);
        if (index >= c->count)
            return NULL;
        c->work(c->context, index);
    }
}

void sg_crew_run(int jobs, size_t count, void (*work)(void *context, size_t index), void *context)
{
    pthread_t threads[MAX_THREADS];
    size_t wanted = jobs > MAX_THREADS ? MAX_THREADS : (size_t)jobs;
    size_t started = 0;
    crew c = { .work = work, .context = context, .count = count };

    if (wanted > count)
        wanted = count;
    /* This thread is one of them; one that does not start leaves its work to the others. */
    while (started + 1 < wanted && !pthread_create(&threads[started], NULL, take_pieces, &c))
        started++;
    take_pieces(&c);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
