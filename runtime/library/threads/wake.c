/* wake.c: see wake.h. Thread-safe: threads that measure at the same time store one of their
 * results. */
#include "runtime/library/threads/wake.h"

#include "runtime/base/clock.h"
#include "runtime/base/environment.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    SAMPLES = 9,
    LEAST_SAMPLES = 3
};

static const double enough = 1e-3;       /* seconds after which no further sample is taken */

/* Waking this number of threads takes so many nanoseconds. 0 threads: not measured yet. Two threads
 * that measure at once may leave a mixture of their results, which differ little. */
static _Atomic int32_t known_threads, known_nanoseconds;

int32_t spmv_wake_given(void)
{
    const char *text = spmv_variable("SPMV_WAKE_NS");
    char *end;
    long number;

    if (text == NULL || text[0] == '\0')
        return -1;
    number = strtol(text, &end, 10);
    return *end != '\0' || number < 0 || number > INT32_MAX ? -1 : (int32_t)number;
}

/* ---- measuring ----------------------------------------------------------------------------- */

static _Thread_local char self;          /* its address tells threads apart */

typedef struct roll_call {
    const char *caller;
    atomic_int others;           /* parts that another thread than the caller did */
} roll_call;

static void answer(void *argument, int32_t part)
{
    roll_call *call = (roll_call *)argument;

    (void)part;
    if (&self != call->caller)
        atomic_fetch_add_explicit(&call->others, 1, memory_order_relaxed);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median time of a step without work, in nanoseconds. 0: another thread did nothing, because of
 * a limit, inside a parallel region, or because none could be started. */
static int32_t measure(const spmv_threads *threads)
{
    const double start = spmv_seconds_now();
    roll_call call = {&self, 0};
    double sample[SAMPLES];
    int count = 0;

    spmv_team_run(threads, threads->count, answer, &call);   /* starts the threads */
    do {
        const double begin = spmv_seconds_now();

        spmv_team_run(threads, threads->count, answer, &call);
        sample[count++] = spmv_seconds_now() - begin;
    } while (count < LEAST_SAMPLES ||
             (count < SAMPLES && spmv_seconds_now() - start < enough));
    if (atomic_load_explicit(&call.others, memory_order_relaxed) == 0)
        return 0;
    qsort(sample, (size_t)count, sizeof sample[0], compare);
    return sample[count / 2] < 1 ? (int32_t)(sample[count / 2] * 1e9) + 1 : 1000000000;
}

/* What is known of more threads than these is true of these, too. 0: unknown. */
static int32_t wake_nanoseconds(const spmv_threads *threads)
{
    int32_t measured;

    if (atomic_load(&known_threads) >= threads->count)
        return atomic_load(&known_nanoseconds);
    measured = measure(threads);
    if (measured == 0)
        return 0;
    atomic_store(&known_nanoseconds, measured);
    atomic_store(&known_threads, threads->count);
    return measured;
}

int32_t spmv_threads_worth(const spmv_threads *threads, int32_t nanoseconds, int32_t given)
{
    int32_t wake, worth;

    if (threads->count <= 1 || nanoseconds >= SPMV_LONG_WORK)
        return threads->count;
    if (nanoseconds < SPMV_SHORT_WORK && given < 0)
        return 1;
    wake = given >= 0 ? given : wake_nanoseconds(threads);
    if (wake == 0)
        return given == 0 ? threads->count : 0;
    worth = nanoseconds / wake;
    return worth < 1 ? 1 : worth < threads->count ? worth : threads->count;
}
