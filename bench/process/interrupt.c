/* interrupt.c: see interrupt.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/process/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAME_REQUEST = 500 };     /* milliseconds */

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

/* Atomic, since each thread may run the handler. */
static atomic_int came;          /* the first signal */
static atomic_llong first;       /* milliseconds of the clock when it came; 0: none came */
static _Atomic(const char *) words_of_first;

static void remember(int number)
{
    const int reason = errno;
    const char *words = atomic_load(&words_of_first);
    struct timespec time = { 0 };
    long long none = 0;

    clock_gettime(CLOCK_MONOTONIC, &time);
    const long long now = (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000 + 1;
    if (atomic_compare_exchange_strong(&first, &none, now)) {
        atomic_store(&came, number);
        if (words && write(STDERR_FILENO, words, strlen(words)) < 0)
            errno = 0;           /* nobody reads it */
    } else if (now - none >= SAME_REQUEST) {
        signal(number, SIG_DFL);
        raise(number);           /* ends the program when this function returns */
    }
    errno = reason;
}

void bench_interrupt_watch(const char *words, bool restarts)
{
    struct sigaction action = { .sa_handler = remember, .sa_flags = restarts ? SA_RESTART : 0 };

    atomic_store(&words_of_first, words);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before;
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

bool bench_interrupted(void)
{
    return bench_interrupt_code() != 0;
}

int bench_interrupt_code(void)
{
    const int number = atomic_load(&came);

    return number ? 128 + number : 0;
}
