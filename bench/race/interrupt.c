/* interrupt.c: see interrupt.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/race/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

static volatile sig_atomic_t came;

static void remember(int number)
{
    static const char words[] =
        "\nspmvbench: interrupted: the results so far follow; once more ends it at once\n";
    const int reason = errno;

    came = number;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        errno = 0;               /* nobody reads it */
    errno = reason;
}

void bench_interrupt_install(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction action, before;

        memset(&action, 0, sizeof action);
        action.sa_handler = remember;
        action.sa_flags = SA_RESTART;    /* reading a matrix goes on */
        sigemptyset(&action.sa_mask);
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

bool bench_interrupted(void)
{
    return came != 0;
}

int bench_interrupt_code(void)
{
    return came ? 128 + (int)came : 0;
}
