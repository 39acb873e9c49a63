/* fibers.c: see fibers.h. It is compiled without ThreadSanitizer's instrumentation, with FIBERS_TSAN where
 * the program has it. */
#include "fibers.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(HAVE_ASAN)
#include <sanitizer/common_interface_defs.h>
#define HAVE_ADDRESS_SANITIZER 1
#else
#define HAVE_ADDRESS_SANITIZER 0
#endif
#ifdef FIBERS_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum { STACK_BYTES = 64 << 10, SAVED = 6 };

static void *scheduler_saved;
#if HAVE_ADDRESS_SANITIZER
static const void *scheduler_stack;
static size_t scheduler_bytes;
static void *scheduler_fake;
#endif
#ifdef FIBERS_TSAN
static void *scheduler_context;
enum { NO_ORDER = 1 };           /* __tsan_switch_to_fiber_no_sync */
#endif

/* ---- the switch ---------------------------------------------------------------------------- */

/* Saves the callee's registers and the stack pointer in *from, and goes on where `to` was saved. */
void fiber_switch(void **from, void *to);

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl fiber_switch\n"
        ".type fiber_switch, @function\n"
        "fiber_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n"
        "    ret\n"
        ".size fiber_switch, .-fiber_switch\n"
        ".section .note.GNU-stack,\"\",@progbits\n"
        ".text\n");

bool fibers_exist(void)
{
    return true;
}
#else
void fiber_switch(void **from, void *to)
{
    (void)from;
    (void)to;
    abort();
}

bool fibers_exist(void)
{
    return false;
}
#endif

/* ---- fibers -------------------------------------------------------------------------------- */

/* Where each begins: the switch is over. */
static void (*entry_of_next)(void);

static void begin(void)
{
#if HAVE_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(NULL, &scheduler_stack, &scheduler_bytes);
#endif
    entry_of_next();
    abort();
}

void fiber_begin(fiber *f, void (*entry)(void))
{
    if (f->stack == NULL && (f->stack = aligned_alloc(64, STACK_BYTES)) == NULL)
        abort();
#ifdef FIBERS_TSAN
    /* One that was left in the middle of a call cannot begin again. To make one takes milliseconds. */
    if (f->context != NULL && !f->has_ended) {
        __tsan_destroy_fiber(f->context);
        f->context = NULL;
    }
    if (f->context == NULL)
        f->context = __tsan_create_fiber(0);
    f->has_ended = false;
#endif
    entry_of_next = entry;
    /* As if it had been left just before `begin`: the registers, then where to return to. Behind that
     * stands a return address, of nobody: so the stack is aligned as after a call. */
    void **top = (void **)(void *)(f->stack + STACK_BYTES) - 1;
    void (*const first)(void) = begin;
    *top = NULL;
    memcpy(--top, &first, sizeof first);
    for (int i = 0; i < SAVED; i++)
        *--top = NULL;
    f->saved = top;
}

void fiber_resume(fiber *f)
{
#ifdef FIBERS_TSAN
    scheduler_context = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(f->context, NO_ORDER);
#endif
#if HAVE_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(&scheduler_fake, f->stack, STACK_BYTES);
#endif
    fiber_switch(&scheduler_saved, f->saved);
#if HAVE_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(scheduler_fake, NULL, NULL);
#endif
}

void fiber_suspend(fiber *f, bool has_ended)
{
#ifdef FIBERS_TSAN
    __tsan_switch_to_fiber(scheduler_context, NO_ORDER);
#endif
#if HAVE_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(has_ended ? NULL : &f->fake, scheduler_stack, scheduler_bytes);
#endif
    f->has_ended = has_ended;
    fiber_switch(&f->saved, scheduler_saved);
#if HAVE_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(f->fake, &scheduler_stack, &scheduler_bytes);
#endif
}

/* ---- order --------------------------------------------------------------------------------- */

#ifdef FIBERS_TSAN
void fiber_release(void *at)
{
    __tsan_release(at);
}

void fiber_acquire(void *at)
{
    __tsan_acquire(at);
}

bool fibers_are_watched(void)
{
    return true;
}
#else
void fiber_release(void *at)
{
    (void)at;
}

void fiber_acquire(void *at)
{
    (void)at;
}

bool fibers_are_watched(void)
{
    return false;
}
#endif
