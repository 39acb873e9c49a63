/* fibers.h: threads of control on one processor, switched explicitly, for shim.h.
 *
 * One scheduler, on the program's own stack, resumes fibers; each runs until it suspends itself.
 * Every switch is reported to ThreadSanitizer, which treats each fiber as a thread. A switch orders
 * nothing: accesses of two fibers race unless fiber_release and fiber_acquire order them. A fiber
 * that begins again is the same thread. Switches are not reported to AddressSanitizer, since that
 * took about 40 % of a suite's time. It still finds errors on the fibers' stacks, but its reports
 * call them heap memory.
 */
#ifndef TEST_FIBERS_H
#define TEST_FIBERS_H

#include <stdbool.h>

typedef struct fiber {
    char *stack, *top;           /* lowest address and end; NULL: never begun */
    void *saved;                 /* its stack pointer while it waits */
    void *context;               /* ThreadSanitizer's */
    bool has_ended;
} fiber;

/* False on CPUs without a fiber_switch; then no other function may be called. */
bool fibers_exist(void);

/* The next resume calls `entry`, which must not return. */
void fiber_begin(fiber *f, void (*entry)(void));

/* Called by the scheduler; returns when the fiber suspends itself. */
void fiber_resume(fiber *f);

/* Called by the fiber. has_ended: it will not be resumed, but may begin again. */
void fiber_suspend(fiber *f, bool has_ended);

/* Writes before a release at an address are visible after an acquire at the same address. */
void fiber_release(void *at);
void fiber_acquire(void *at);

/* Whether the program runs under ThreadSanitizer. */
bool fibers_are_watched(void);

#endif
