/* interrupt.h: Ctrl-C as a request. The first SIGINT, SIGTERM or SIGHUP is remembered, so that the
 * program can save its results; the second ends the program at once, as by default.
 *
 * The request is the only mutable global: signals have no context.
 */
#ifndef BENCH_INTERRUPT_H
#define BENCH_INTERRUPT_H

#include <stdbool.h>

/* A signal that the parent ignores, as nohup does, stays ignored. */
void bench_interrupt_install(void);

bool bench_interrupted(void);

/* 128 + the signal, the exit code by custom; 0: none came. */
int bench_interrupt_code(void);

#endif
