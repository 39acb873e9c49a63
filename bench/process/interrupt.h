/* interrupt.h: Ctrl-C as a request. The first SIGINT, SIGTERM or SIGHUP is remembered, so that the
 * program can save its results; one that comes later ends the program at once, as by default.
 *
 * Signals within half a second of the first are the same request: timeout(1) sends each twice, to
 * its child and to its group.
 *
 * The request is global: signals have no context.
 */
#ifndef BENCH_INTERRUPT_H
#define BENCH_INTERRUPT_H

#include <stdbool.h>

/* Begins to remember signals; another call changes what is said. words: written to stderr when the
 * first signal comes; NULL: nothing. restarts: system calls go on, as reading a matrix should;
 * else a signal ends them with EINTR, as it should end waiting for another program. A signal that
 * the parent ignores, as nohup does, stays ignored. */
void bench_interrupt_watch(const char *words, bool restarts);

bool bench_interrupted(void);

/* 128 + the signal, the exit code by custom; 0: none came. */
int bench_interrupt_code(void);

#endif
