/* trap.c: see trap.h. This file has the suite's only global variables, since signal handlers need
 * them. */
#define _POSIX_C_SOURCE 200809L
#include "trap.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf resume;
static volatile sig_atomic_t armed;
static trap_report caught;
static const char *label;

static const struct {
    int number;
    const char *name;
} signals[] = {
    { SIGSEGV, "access to forbidden memory" },
    { SIGBUS, "access to forbidden memory (SIGBUS)" },
    { SIGILL, "unknown instruction" },
    { SIGFPE, "integer division by zero" },
};

enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

static void say(const char *text)
{
    const ssize_t written = write(STDOUT_FILENO, text, strlen(text));
    (void)written;
}

static void handle(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (armed) {
        armed = 0;
        caught = (trap_report){ number, info->si_addr };
        siglongjmp(resume, 1);
    }
    say("\nBail out! ");
    say(trap_signal_name(number));
    if (label) {
        say(" in ");
        say(label);
    }
    say("\n");
    signal(number, SIG_DFL);
    raise(number);
}

void trap_install(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        sigaction(signals[i].number, &action, NULL);
}

void trap_label(const char *text)
{
    label = text;
}

bool trap_run(void (*body)(void *context), void *context, trap_report *report)
{
    if (sigsetjmp(resume, 0)) {
        *report = caught;
        return false;
    }
    armed = 1;
    body(context);
    armed = 0;
    return true;
}

const char *trap_signal_name(int number)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return "signal";
}
