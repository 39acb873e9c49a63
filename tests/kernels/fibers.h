/* fibers.h: threads of control on one processor, switched explicitly, for shim.h.
 *
 * One scheduler, on the program's own stack, resumes fibers; each runs until it suspends itself.
 * ThreadSanitizer is told of every switch and treats each fiber as a thread. A switch orders
 * nothing: accesses of two fibers race unless fiber_release and fiber_acquire order them. A fiber
 * that begins again is the same thread. AddressSanitizer is not told of switches, since that took
 * about 40 % of a suite's time. It still finds errors on the fibers' stacks, but its reports call
 * them heap memory.
 */
#ifndef TEST_FIBERS_H
#define TEST_FIBERS_H

#include <stdbool.h>

typedef struct fiber {
    char *stack, *top;           /* lowest address and end; NULL: it was never begun */
    void *saved;                 /* its stack pointer while it waits */
    void *context;               /* ThreadSanitizer's */
    bool has_ended;
} fiber;

/* False on CPUs for which fiber_switch is not written; then no other function may be called. */
bool fibers_exist(void);

/* The next resume calls `entry`, which must not return. */
void fiber_begin(fiber *f, void (*entry)(void));

/* Called by the scheduler; returns when the fiber suspends itself. */
void fiber_resume(fiber *f);

/* Called by the fiber. has_ended: it will not be resumed, but may begin again. */
void fiber_suspend(fiber *f, bool has_ended);

/* What happened before a release at an address is visible after an acquire there. */
void fiber_release(void *at);
void fiber_acquire(void *at);

/* Whether the program runs under ThreadSanitizer. */
bool fibers_are_watched(void);

#endif
