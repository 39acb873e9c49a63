/* fibers.c: see fibers.h. It is compiled without ThreadSanitizer's instrumentation, and with
 * -DFIBERS_TSAN if the program is linked with ThreadSanitizer. */
#include "fibers.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(HAVE_ASAN)
#include <sanitizer/asan_interface.h>
#define OPEN_STACK(stack, bytes) __asan_unpoison_memory_region(stack, bytes)
#else
#define OPEN_STACK(stack, bytes) ((void)(stack), (void)(bytes))
#endif
#ifdef FIBERS_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/* The tops of the stacks lie at different offsets in a page. At equal offsets all stacks would
 * share one set of the L1 cache and evict each other. */
enum { STACK_BYTES = 64 << 10, LINE = 64, LINES = 4096 / LINE, SAVED = 6 };

static void *scheduler_saved;
#ifdef FIBERS_TSAN
static void *scheduler_context;
enum { NO_ORDER = 1 };           /* __tsan_switch_to_fiber_no_sync */
#endif

/* ---- the switch ---------------------------------------------------------------------------- */

/* Saves the callee-saved registers and the stack pointer in *from, restores those of `to`, and
 * jumps to the address at which `to` was saved. A `ret` would be mispredicted, since processors
 * expect it to return to the latest call. */
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
        "    popq %rcx\n"
        "    jmp *%rcx\n"
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

/* The first code that a fiber runs: the switch to it has ended. */
static void (*entry_of_next)(void);

static void begin(void)
{
    entry_of_next();
    abort();
}

static void make_stack(fiber *f)
{
    static size_t stacks;

    f->stack = aligned_alloc(LINE, STACK_BYTES + LINES * LINE);
    if (f->stack == NULL)
        abort();
    f->top = f->stack + STACK_BYTES + stacks++ % LINES * LINE;
}

void fiber_begin(fiber *f, void (*entry)(void))
{
    if (f->stack == NULL)
        make_stack(f);
    /* If the fiber was suspended within a call, that call's frames are still poisoned. */
    if (!f->has_ended)
        OPEN_STACK(f->stack, (size_t)(f->top - f->stack));
#ifdef FIBERS_TSAN
    /* A context that was suspended within a call cannot begin again. Other contexts are kept, since
     * creating a context takes milliseconds. */
    if (f->context != NULL && !f->has_ended) {
        __tsan_destroy_fiber(f->context);
        f->context = NULL;
    }
    if (f->context == NULL)
        f->context = __tsan_create_fiber(0);
#endif
    f->has_ended = false;
    entry_of_next = entry;
    /* The stack of a fiber that was suspended just before `begin`: the registers, then the address
     * at which it continues. Above it stands an unused return address, so that the stack is aligned
     * as after a call. */
    void **top = (void **)(void *)f->top - 1;
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
    fiber_switch(&scheduler_saved, f->saved);
}

void fiber_suspend(fiber *f, bool has_ended)
{
#ifdef FIBERS_TSAN
    __tsan_switch_to_fiber(scheduler_context, NO_ORDER);
#endif
    f->has_ended = has_ended;
    fiber_switch(&f->saved, scheduler_saved);
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
