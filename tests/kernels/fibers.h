/* fibers.h: threads of control that take turns when they are told to, for shim.h.
 *
 * One scheduler, the program's own stack, resumes fibers; each runs until it suspends itself. To
 * ThreadSanitizer, which is told of every switch, each fiber is a thread, and a switch orders nothing:
 * what two fibers do is a race unless fiber_release and fiber_acquire say otherwise. A fiber that begins
 * anew is the same thread still. AddressSanitizer is not told, because that took about 40 % of a suite's
 * time. It takes the stacks for memory of the heap, and a report says so; it still finds errors there.
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

/* False on CPUs for which there is no switch: then none of the functions may be called. */
bool fibers_exist(void);

/* The next resume begins `entry` anew, which must not return. */
void fiber_begin(fiber *f, void (*entry)(void));

/* From the scheduler: until the fiber suspends itself. */
void fiber_resume(fiber *f);

/* From the fiber itself. has_ended: it will not be resumed, but perhaps begun anew. */
void fiber_suspend(fiber *f, bool has_ended);

/* What was done before a release at an address is visible behind an acquire there. */
void fiber_release(void *at);
void fiber_acquire(void *at);

/* Is there somebody who looks for races? */
bool fibers_are_watched(void);

#endif
