/* thread.c: see thread.h. */
#define _XOPEN_SOURCE 700                /* SIGPROF */
#include "runtime/library/threads/thread.h"

#include <signal.h>

static int start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;
    int error;

    if (stack_bytes == 0)
        return pthread_create(thread, NULL, run, argument);
    error = pthread_attr_init(&attributes);
    if (error != 0)
        return error;
    error = pthread_attr_setstacksize(&attributes, stack_bytes);
    if (error == 0)
        error = pthread_create(thread, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
    return error;
}

/* A thread inherits the mask of the thread that starts it. */
int spmv_thread_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *), void *argument)
{
    static const int kept[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t blocked, own;
    int error;

    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        sigdelset(&blocked, kept[i]);
    error = pthread_sigmask(SIG_BLOCK, &blocked, &own);
    if (error != 0)
        return error;
    error = start(thread, stack_bytes, run, argument);
    pthread_sigmask(SIG_SETMASK, &own, NULL);
    return error;
}
