/* pool.c: a team of the library's own threads.
 *
 * A process has one pool. Its threads are started when they are first needed; they spin for a while
 * waiting for a job, then sleep. One caller at a time has the pool. A caller that finds it taken,
 * by another thread or from within a job, does all parts itself. A forked child makes a new pool.
 */
#ifdef SPMV_PTHREADS

#define _POSIX_C_SOURCE 200809L
#include "runtime/library/threads/way.h"

#include "common/base/usable_cpus.h"
#include "runtime/base/memory.h"
#include "runtime/library/threads/process_lock.h"
#include "runtime/library/threads/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum {
    SPIN = 2000,                 /* polls of a flag before a thread goes to sleep, at most */
    RETRY = 16,
    LINE_BYTES = 64
};

/* How often a thread polls before it sleeps. Where threads share a CPU, polling delays the very
 * event that is waited for. So a thread that polled in vain polls less the next time, and every
 * RETRY waits it polls as often as at first. */
typedef struct patience {
    int32_t most, looks;
    int32_t misses;              /* in a row */
} patience;

typedef enum worker_state {
    WORKER_WAITS,                /* polls its state */
    WORKER_SLEEPS,
    WORKER_WORKS                 /* or is about to */
} worker_state;

typedef struct worker {
    _Alignas(LINE_BYTES) atomic_int state;
    int32_t member;              /* its number in teams; the caller is member 0 */
    patience patience;
    struct pool *pool;
    struct worker *next;
    pthread_t thread;
    pthread_mutex_t mutex;       /* held while it falls asleep or is woken */
    pthread_cond_t woken;
} worker;

typedef struct pool {
    worker *first, **end;
    int32_t count;
    int32_t cpus;
    int is_short;                /* no more threads could be started at trial `trial` */
    unsigned trial;
    spmv_run_member *run;        /* the job; NULL: workers must end */
    const void *job;
    int32_t members;
    patience patience;           /* of the caller */
    pthread_mutex_t mutex;       /* held while the caller falls asleep or is woken */
    pthread_cond_t finished;
    atomic_int caller_sleeps;
    _Alignas(LINE_BYTES) atomic_int unfinished;  /* workers */
} pool;

/* The variables below and the pool, except for the state of workers, belong to the caller that
 * holds `taken`. */
static spmv_atomic taken;
static pool *current;
static int32_t forks;                    /* spmv_forks() when the pool was made */

/* ---- waiting ------------------------------------------------------------------------------- */

static void pause_shortly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");             /* delays the core, which yield does not */
#endif
}

/* Polls for *flag == value as often as patience allows. Returns whether it was seen. */
static int has_come(patience *p, atomic_int *flag, int value)
{
    int32_t looks = p->looks;

    while (looks > 0 && atomic_load_explicit(flag, memory_order_acquire) != value) {
        pause_shortly();
        looks--;
    }
    p->misses = looks > 0 ? 0 : p->misses + 1;
    p->looks = p->misses % RETRY == 0 ? p->most : p->looks / 4;
    return looks > 0;
}

static void wait_for_work(worker *w)
{
    int waits = WORKER_WAITS;

    if (has_come(&w->patience, &w->state, WORKER_WORKS))
        return;
    pthread_mutex_lock(&w->mutex);
    if (atomic_compare_exchange_strong(&w->state, &waits, WORKER_SLEEPS))
        while (atomic_load(&w->state) == WORKER_SLEEPS)
            pthread_cond_wait(&w->woken, &w->mutex);
    pthread_mutex_unlock(&w->mutex);
}

static void set_to_work(worker *w)
{
    if (atomic_exchange(&w->state, WORKER_WORKS) != WORKER_SLEEPS)
        return;
    pthread_mutex_lock(&w->mutex);
    pthread_cond_signal(&w->woken);
    pthread_mutex_unlock(&w->mutex);
}

static void wait_for_workers(pool *p)
{
    if (p->members <= p->cpus && has_come(&p->patience, &p->unfinished, 0))
        return;
    pthread_mutex_lock(&p->mutex);
    atomic_store(&p->caller_sleeps, 1);
    while (atomic_load(&p->unfinished) > 0)
        pthread_cond_wait(&p->finished, &p->mutex);
    atomic_store(&p->caller_sleeps, 0);
    pthread_mutex_unlock(&p->mutex);
}

/* Either this thread sees that the caller sleeps, or the caller saw that no worker is
 * unfinished. */
static void report_finished(pool *p)
{
    if (atomic_fetch_sub(&p->unfinished, 1) > 1 || !atomic_load(&p->caller_sleeps))
        return;
    pthread_mutex_lock(&p->mutex);
    pthread_cond_signal(&p->finished);
    pthread_mutex_unlock(&p->mutex);
}

static void *serve(void *argument)
{
    worker *w = (worker *)argument;
    pool *p = w->pool;

    for (;;) {
        wait_for_work(w);
        if (p->run == NULL)
            return NULL;
        p->run(p->job, w->member, p->members);
        /* Once this worker counts as finished the caller may give it the next job. */
        atomic_store(&w->state, WORKER_WAITS);
        report_finished(p);
    }
}

/* ---- threads come and go ------------------------------------------------------------------- */

static worker *start_worker(pool *p)
{
    worker *w = spmv_memory_alloc_zeroed(sizeof *w);

    if (w == NULL)
        return NULL;
    atomic_init(&w->state, WORKER_WAITS);
    w->pool = p;
    w->member = p->count + 1;
    if (w->member < p->cpus)
        w->patience = (patience){SPIN, SPIN, 0};
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->woken, NULL);
    if (spmv_thread_start(&w->thread, 0, serve, w) == 0)
        return w;
    pthread_cond_destroy(&w->woken);
    pthread_mutex_destroy(&w->mutex);
    spmv_memory_free(w);
    return NULL;
}

/* Grows the pool to `wanted` threads, or as many as can be started. */
static void grow(pool *p, int32_t wanted, unsigned trial)
{
    if (p->trial != trial)
        p->is_short = 0;
    p->trial = trial;
    while (p->count < wanted && !p->is_short) {
        worker *w = start_worker(p);

        if (w == NULL) {
            p->is_short = 1;
            return;
        }
        *p->end = w;
        p->end = &w->next;
        p->count++;
    }
}

static pool *create_pool(void)
{
    pool *p = spmv_memory_alloc_zeroed(sizeof *p);

    if (p == NULL)
        return NULL;
    forks = spmv_forks();
    p->end = &p->first;
    p->cpus = spmv_usable_cpus();
    p->patience = (patience){SPIN, SPIN, 0};
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->finished, NULL);
    atomic_init(&p->caller_sleeps, 0);
    atomic_init(&p->unfinished, 0);
    return p;
}

static void free_pool(pool *p)
{
    worker *next;

    for (worker *w = p->first; w != NULL; w = next) {
        next = w->next;
        spmv_memory_free(w);
    }
    spmv_memory_free(p);
}

/* In a forked child, frees the parent's pool, which has no threads here. */
static void free_parents(void)
{
    pool *p = current;

    if (p == NULL || forks == spmv_forks())
        return;
    current = NULL;
    free_pool(p);
}

#ifdef __GNUC__

/* Runs when the library is unloaded or the program ends. Later callers do all parts themselves. */
__attribute__((destructor)) static void end_pool(void)
{
    if (spmv_process_lock_try(&taken) == SPMV_LOCK_REFUSED)
        return;
    free_parents();
    if (current == NULL)
        return;
    current->run = NULL;
    for (worker *w = current->first; w != NULL; w = w->next) {
        set_to_work(w);
        pthread_join(w->thread, NULL);
        pthread_cond_destroy(&w->woken);
        pthread_mutex_destroy(&w->mutex);
    }
    pthread_cond_destroy(&current->finished);
    pthread_mutex_destroy(&current->mutex);
    free_pool(current);
    current = NULL;
}

#endif

/* ---- jobs ---------------------------------------------------------------------------------- */

static void run_job(pool *p, int32_t wanted, spmv_run_member *run, const void *job)
{
    const int32_t workers = p->count < wanted - 1 ? p->count : wanted - 1;
    worker *w = p->first;

    p->run = run;
    p->job = job;
    p->members = workers + 1;
    atomic_store(&p->unfinished, workers);
    for (int32_t i = 0; i < workers; i++, w = w->next)
        set_to_work(w);
    run(job, 0, p->members);
    if (workers > 0)
        wait_for_workers(p);
}

void spmv_pool_run(int32_t wanted, unsigned trial, spmv_run_member *run, const void *job)
{
    /* If forks were not counted, a child would wait for threads that it does not have. */
    if (!spmv_forks_count() || spmv_process_lock_try(&taken) == SPMV_LOCK_REFUSED) {
        run(job, 0, 1);
        return;
    }
    free_parents();
    if (current == NULL)
        current = create_pool();
    if (current != NULL) {
        grow(current, wanted - 1, trial);
        run_job(current, wanted, run, job);
    } else {
        run(job, 0, 1);
    }
    spmv_process_lock_release(&taken);
}

#else

typedef int spmv_pool_is_not_used;       /* C forbids an empty translation unit */

#endif
