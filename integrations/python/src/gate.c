/* gate.c: lets many multiplications, or one update, use a plan at a time.
 *
 * The GIL guards a gate's fields, so passing an open gate costs a few instructions. A thread that
 * has to wait does so without the GIL, on a condition that all gates share: waiting is rare. */
#include "gate.h"

#include <Python.h>

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned long changes;        /* written with the GIL and the mutex */
static long waiting;                 /* guarded by the GIL */
static unsigned forks;

/* The threads that were inside a gate, waited or held the mutex are not in the child. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&changed, NULL);
    waiting = 0;
    forks++;
}

int gate_prepare(void)
{
    if (pthread_atfork(NULL, NULL, after_fork_in_child) == 0)
        return 0;
    PyErr_NoMemory();
    return -1;
}

static void forget_parent(gate *g)
{
    if (g->forks != forks) {
        g->readers = 0;
        g->has_writer = 0;
        g->forks = forks;
    }
}

/* Returns after some gate has changed since the caller looked at its own. */
static void wait_for_change(void)
{
    const unsigned long seen = changes;

    waiting++;
    Py_BEGIN_ALLOW_THREADS
    pthread_mutex_lock(&mutex);
    while (changes == seen)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    Py_END_ALLOW_THREADS
    waiting--;
}

static void tell_change(void)
{
    if (waiting == 0)
        return;
    pthread_mutex_lock(&mutex);
    changes++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

void gate_enter(gate *g)
{
    forget_parent(g);
    while (g->has_writer)
        wait_for_change();
    g->readers++;
}

void gate_leave(gate *g)
{
    if (--g->readers == 0)
        tell_change();
}

void gate_enter_alone(gate *g)
{
    forget_parent(g);
    while (g->has_writer)
        wait_for_change();
    g->has_writer = 1;               /* bars new readers */
    while (g->readers > 0)
        wait_for_change();
}

void gate_leave_alone(gate *g)
{
    g->has_writer = 0;
    tell_change();
}
