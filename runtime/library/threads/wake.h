/* wake.h: how many threads pay for a piece of work.
 *
 * Starting and ending a step on several threads takes 1 microsecond if they poll for work, and 50
 * or more if they sleep: OpenMP's settings, the machine and its other work decide. So it is
 * measured, once for a process and a number of threads, when a plan first asks.
 */
#ifndef SPMV_WAKE_H
#define SPMV_WAKE_H

#include "runtime/core/threads/team.h"

/* Nanoseconds of work that are never shared, and that are shared without measuring: no machine
 * wakes a thread in less than a third of the one, nor takes a third of the other. */
enum { SPMV_SHORT_WORK = 2000, SPMV_LONG_WORK = 3000000 };

/* SPMV_WAKE_NS, nanoseconds to believe in instead of measuring; negative: not set. */
int32_t spmv_wake_given(void);

/* How many of threads->count threads pay for work that takes one of them `nanoseconds`: each of
 * them works at least as long as waking takes, or there is one. 0: unknown, since no other thread
 * can be woken just now. given: spmv_wake_given(). May start threads. */
int32_t spmv_threads_worth(const spmv_threads *threads, int32_t nanoseconds, int32_t given);

#endif
