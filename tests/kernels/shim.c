/* shim.c: see shim.h. One program at a time: nothing here may run at once. */
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/random.h"

#if defined(__SANITIZE_ADDRESS__) || defined(SHIM_ASAN)
#include <sanitizer/common_interface_defs.h>
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

enum { STACK_BYTES = 64 << 10, MOST_ITEMS = 4096 };

/* Programs without a module for another device have none of their own. */
__attribute__((weak)) const shim_program *shim_programs;

int64_t shim_group;
int32_t shim_item;
int32_t shim_subgroup;

/* ---- fibers -------------------------------------------------------------------------------- */

/* Saves the callee's registers and the stack pointer in *from, and goes on where `to` was saved. */
void shim_switch(void **from, void *to);

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl shim_switch\n"
        ".type shim_switch, @function\n"
        "shim_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n"
        "    ret\n"
        ".size shim_switch, .-shim_switch\n"
        ".section .note.GNU-stack,\"\",@progbits\n"
        ".text\n");
enum { SAVED = 6 };
#define HAVE_FIBERS 1
#else
#define HAVE_FIBERS 0
void shim_switch(void **from, void *to)
{
    (void)from;
    (void)to;
}
enum { SAVED = 6 };
#endif

typedef struct fiber {
    char *stack;
    void *saved;                 /* its stack pointer while it waits */
    void *fake;                  /* of the address sanitizer */
    int line;                    /* of what it waits at; -1: it has not begun; 0: done */
    bool at_collective;          /* that is its subgroup's, not a barrier of the group */
    int turn;                    /* which of the two values is the collective's; the other one, the
                                    last collective's, may still be read */
    uint64_t value[2];           /* what it has brought */
} fiber;

static fiber fibers[MOST_ITEMS];
static void *main_saved;
static const shim_kernel *running;
static const void *const *arguments;
#if SANITIZED
static const void *main_stack;
static size_t main_bytes;
static void *main_fake;
#endif

static void leave(fiber *f, int line)
{
    f->line = line;
#if SANITIZED
    __sanitizer_start_switch_fiber(line == 0 ? NULL : &f->fake, main_stack, main_bytes);
#endif
    shim_switch(&f->saved, main_saved);
#if SANITIZED
    __sanitizer_finish_switch_fiber(f->fake, &main_stack, &main_bytes);
#endif
}

/* Where a fiber begins; it never returns. */
static void begin(void)
{
#if SANITIZED
    __sanitizer_finish_switch_fiber(NULL, &main_stack, &main_bytes);
#endif
    running->call(arguments);
    leave(&fibers[shim_item], 0);
    abort();
}

void shim_barrier(int line)
{
    leave(&fibers[shim_item], line);
}

uint64_t shim_exchange(int line, uint64_t value, int64_t place)
{
    fiber *f = &fibers[shim_item];
    const int32_t first = shim_item - shim_item % shim_subgroup;

    f->turn = !f->turn;
    f->value[f->turn] = value;
    f->at_collective = true;
    leave(f, line);
    f->at_collective = false;
    if (place < 0 || place >= shim_subgroup)
        /* A NaN of either type, a quiet one: adding it where nobody looks at the sum is no fault, and
         * signalling ones show that y was read. */
        return UINT64_C(0x7ffcbadb7fe4b000) | (uint64_t)shim_item;
    return fibers[first + place].value[f->turn];
}

void shim_subgroup_barrier(int line)
{
    shim_exchange(line, 0, 0);
}

static void resume(int32_t item)
{
    fiber *f = &fibers[item];

    shim_item = item;
    if (f->line == -1) {
        /* As if it had been left just before `begin`: the registers, then where to return to. Behind
         * that stands a return address, of nobody: so the stack is aligned as after a call. */
        void **top = (void **)(void *)(f->stack + STACK_BYTES) - 1;
        *top = NULL;
        void (*const entry)(void) = begin;
        memcpy(--top, &entry, sizeof entry);
        for (int i = 0; i < SAVED; i++)
            *--top = NULL;
        f->saved = top;
    }
#if SANITIZED
    __sanitizer_start_switch_fiber(&main_fake, f->stack, STACK_BYTES);
#endif
    shim_switch(&main_saved, f->saved);
#if SANITIZED
    __sanitizer_finish_switch_fiber(main_fake, NULL, NULL);
#endif
}

/* ---- groups -------------------------------------------------------------------------------- */

static char fault[160];

static void shuffle(bench_random *random, int32_t *turn, int32_t count)
{
    for (int32_t i = count - 1; i > 0; i--) {
        const int32_t other = (int32_t)bench_random_below(random, i + 1);
        const int32_t kept = turn[i];
        turn[i] = turn[other];
        turn[other] = kept;
    }
}

/* Do items [first, first + count) wait at one place? */
static const char *check_together(int32_t first, int32_t count)
{
    for (int32_t i = first + 1; i < first + count; i++) {
        if (fibers[i].line == fibers[first].line)
            continue;
        snprintf(fault, sizeof fault, "%s, group %lld: item %d is at line %d, item %d at line %d (0: "
                 "at the end)", running->name, (long long)shim_group, (int)first,
                 fibers[first].line, (int)i, fibers[i].line);
        return fault;
    }
    return NULL;
}

/* A subgroup some way on: to a barrier or its end, or perhaps to a collective. */
static const char *run_subgroup(bench_random *random, int32_t first, int32_t count)
{
    static int32_t turn[MOST_ITEMS];
    const char *wrong;

    do {
        for (int32_t i = 0; i < count; i++)
            turn[i] = first + i;
        shuffle(random, turn, count);
        for (int32_t i = 0; i < count; i++)
            resume(turn[i]);
        wrong = check_together(first, count);
    } while (!wrong && fibers[first].at_collective && bench_random_below(random, 4) > 0);
    return wrong;
}

/* All items to their next barrier, or their end. */
static const char *run_phase(bench_random *random, int32_t items)
{
    static int32_t waiting[MOST_ITEMS];      /* the subgroups that are on their way */
    const int32_t size = shim_subgroup;
    int32_t count = items / size;

    for (int32_t i = 0; i < count; i++)
        waiting[i] = i * size;
    shuffle(random, waiting, count);
    while (count > 0) {
        const int32_t at = (int32_t)bench_random_below(random, count);
        const char *wrong = run_subgroup(random, waiting[at], size);

        if (wrong)
            return wrong;
        if (!fibers[waiting[at]].at_collective)
            waiting[at] = waiting[--count];
    }
    return check_together(0, items);
}

static const char *run_group(bench_random *random, int32_t items)
{
    for (int32_t i = 0; i < items; i++) {
        fibers[i].line = -1;
        fibers[i].at_collective = false;
        fibers[i].turn = 0;
        if (fibers[i].stack == NULL)
            fibers[i].stack = aligned_alloc(64, STACK_BYTES);
    }
    do {
        const char *wrong = run_phase(random, items);
        if (wrong)
            return wrong;
    } while (fibers[0].line != 0);
    return NULL;
}

const char *shim_run(const shim_kernel *kernel, const void *const *argument, int64_t groups,
                     int32_t items, int32_t subgroup, uint64_t seed)
{
    bench_random random = { seed };
    /* An odd step over a power of two visits all; what is not a group is left out. */
    int64_t size = 1;

    if (!HAVE_FIBERS)
        return "there are no fibers for this CPU";
    if (items < 1 || items > MOST_ITEMS)
        return "too many work-items";
    if (subgroup > 1 && items % subgroup != 0)
        return "the last subgroup is not a whole one";
    shim_subgroup = subgroup > 1 ? subgroup : items;
    while (size < groups)
        size *= 2;
    const int64_t step = bench_random_below(&random, size) | 1;
    running = kernel;
    arguments = argument;
    for (int64_t i = 0, group = bench_random_below(&random, size); i < size; i++) {
        group = (group + step) & (size - 1);
        if (group >= groups)
            continue;
        shim_group = group;
        const char *wrong = run_group(&random, items);
        if (wrong)
            return wrong;
    }
    return NULL;
}

const shim_kernel *shim_find(const char *module, const char *kernel)
{
    for (const shim_program *p = shim_programs; p && p->module; p++)
        for (const shim_kernel *k = p->kernels; strcmp(p->module, module) == 0 && k->name; k++)
            if (strcmp(k->name, kernel) == 0)
                return k;
    return NULL;
}
