/* shim.c: see shim.h. The shim runs one program at a time, so no function here may be called
 * concurrently. This file is compiled without ThreadSanitizer, as fibers.c is. */
#define _DEFAULT_SOURCE          /* MAP_ANONYMOUS */
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/matrices/random.h"
#include "fibers.h"

#if defined(__SANITIZE_ADDRESS__) || defined(HAVE_ASAN)
#include <sanitizer/asan_interface.h>
#define CLOSE_MEMORY(address, bytes) __asan_poison_memory_region(address, bytes)
#define OPEN_MEMORY(address, bytes) __asan_unpoison_memory_region(address, bytes)
#else
#define CLOSE_MEMORY(address, bytes) ((void)(address), (void)(bytes))
#define OPEN_MEMORY(address, bytes) ((void)(address), (void)(bytes))
#endif

enum { MOST_ITEMS = 4096, GAP = 64, MOST_LOCALS = 16 };

/* Weak, since a test program without modules for other devices defines none. */
__attribute__((weak)) const shim_program *shim_programs;

int64_t shim_group;
int32_t shim_item;
int32_t shim_subgroup;

typedef struct work_item {
    fiber fiber;
    int line;                    /* line at which it waits; -1: not begun; 0: done */
    bool at_collective;          /* it waits at a collective of its subgroup */
    int phase;                   /* index of the group's next barrier; two take turns */
    int turn;                    /* index of the value of this collective; the value of the last
                                    collective may still be read */
    uint64_t value[2];           /* its values for two collectives */
    size_t local_used;           /* bytes of local memory that it has declared */
} work_item;

/* Two groups' fibers, used in turn. ThreadSanitizer orders the accesses of one fiber in two groups,
 * which would hide a race between consecutive groups if they used the same fibers. */
static work_item sets[2][MOST_ITEMS];
static work_item *items;
static int64_t groups_run;
static const shim_kernel *running;
static const void *const *arguments;
static char fault[160];

/* ---- the memory of groups ------------------------------------------------------------------ */

/* A group's memory: addresses whose release and acquire order its work-items for ThreadSanitizer,
 * then local memory. Without ThreadSanitizer all groups use one such memory. With it each group has
 * its own, since barriers of one group do not order another group.
 *
 *     order[0], order[1]       the group's barriers, used in turn: with one alone, an item that
 *                              comes to its next barrier would be ordered before items that still
 *                              leave the last one
 *     order[2 + 2 * item...]   the same for the subgroup that begins with the item
 */
typedef struct group_memory {
    char *base;
    size_t bytes;                /* of one */
    size_t local;                /* where local memory begins in it */
    size_t local_used;           /* by the group's work-items so far */
    int64_t count;
} group_memory;

static group_memory memory;
static char launch_begins[8], launch_ends[8];

static char *own_memory(void)
{
    return memory.base + (memory.count > 1 ? (size_t)shim_group * memory.bytes : 0);
}

static void *order_of(int32_t index)
{
    return own_memory() + 8 * (size_t)index;
}

static bool make_memory(int64_t groups, int32_t count, int32_t local_bytes)
{
    memory = (group_memory){ .local = (size_t)(2 + 2 * count) * 8,
                             .count = fibers_are_watched() ? groups : 1 };
    memory.local = (memory.local + GAP - 1) / GAP * GAP;
    memory.bytes = memory.local + (size_t)local_bytes + MOST_LOCALS * 2 * GAP;
    memory.bytes = (memory.bytes + GAP - 1) / GAP * GAP;
    memory.base = mmap(NULL, memory.bytes * (size_t)memory.count, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory.base != MAP_FAILED;
}

static void free_memory(void)
{
    OPEN_MEMORY(memory.base, memory.bytes * (size_t)memory.count);
    munmap(memory.base, memory.bytes * (size_t)memory.count);
}

/* Fills local memory with garbage that differs between groups, and poisons it. */
static void begin_memory(void)
{
    char *local = own_memory() + memory.local;
    const size_t bytes = memory.bytes - memory.local;

    memory.local_used = 0;
    OPEN_MEMORY(local, bytes);
    if (!fibers_are_watched())
        memset(local, shim_group % 2 ? 0xff : 0xa9, bytes);
    CLOSE_MEMORY(local, bytes);
}

void *shim_local(size_t bytes)
{
    work_item *item = &items[shim_item];
    char *place = own_memory() + memory.local + item->local_used;

    item->local_used += (bytes + GAP - 1) / GAP * GAP + GAP;
    if (item->local_used > memory.bytes - memory.local) {
        fprintf(stderr, "%s takes more local memory than its module says\n", running->name);
        abort();
    }
    if (item->local_used > memory.local_used) {
        memory.local_used = item->local_used;
        OPEN_MEMORY(place, bytes);
    }
    return place;
}

/* ---- work-items ---------------------------------------------------------------------------- */

static void wait_at(work_item *item, int line)
{
    item->line = line;
    fiber_suspend(&item->fiber, line == 0);
}

/* The code of a work-item; it never returns. */
static void begin_item(void)
{
    fiber_acquire(launch_begins);
    running->call(arguments);
    fiber_release(launch_ends);
    wait_at(&items[shim_item], 0);
    abort();
}

void shim_barrier(int line)
{
    work_item *item = &items[shim_item];
    void *order = order_of(item->phase);

    item->phase = !item->phase;
    fiber_release(order);
    wait_at(item, line);
    fiber_acquire(order);
}

uint64_t shim_exchange(int line, uint64_t value, int64_t place)
{
    work_item *item = &items[shim_item];
    const int32_t first = shim_item - shim_item % shim_subgroup;

    item->turn = !item->turn;
    item->value[item->turn] = value;
    item->at_collective = true;
    wait_at(item, line);
    item->at_collective = false;
    if (place < 0 || place >= shim_subgroup)
        /* A quiet NaN in both types: adding it to an unused sum is no fault. Signalling NaN are for
         * y, where they show a read. */
        return UINT64_C(0x7ffcbadb7fe4b000) | (uint64_t)shim_item;
    return items[first + place].value[item->turn];
}

/* Orders memory; a shuffle does not. */
void shim_subgroup_barrier(int line)
{
    const work_item *item = &items[shim_item];
    const int32_t first = shim_item - shim_item % shim_subgroup;
    void *order = order_of(2 + 2 * first + item->turn);

    fiber_release(order);
    shim_exchange(line, 0, 0);
    fiber_acquire(order);
}

/* ---- groups -------------------------------------------------------------------------------- */

static void shuffle(bench_random *random, int32_t *turn, int32_t count)
{
    for (int32_t i = count - 1; i > 0; i--) {
        const int32_t other = (int32_t)bench_random_below(random, i + 1);
        const int32_t kept = turn[i];
        turn[i] = turn[other];
        turn[other] = kept;
    }
}

/* Checks that items [first, first + count) wait at one place. NULL: they do; else the fault. */
static const char *check_together(int32_t first, int32_t count)
{
    for (int32_t i = first + 1; i < first + count; i++) {
        if (items[i].line == items[first].line)
            continue;
        snprintf(fault, sizeof fault,
                 "%s, group %lld: item %d is at line %d, item %d at line %d (0: at the end)",
                 running->name, (long long)shim_group, (int)first,
                 items[first].line, (int)i, items[i].line);
        return fault;
    }
    return NULL;
}

static void resume(int32_t item)
{
    shim_item = item;
    fiber_resume(&items[item].fiber);
}

/* Runs a subgroup to a barrier or its end, or, by chance, only to a collective. */
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
    } while (!wrong && items[first].at_collective && bench_random_below(random, 4) > 0);
    return wrong;
}

/* Runs all items to their next barrier, or to their end. */
static const char *run_phase(bench_random *random, int32_t work_items)
{
    static int32_t waiting[MOST_ITEMS];      /* subgroups that have not reached the barrier */
    const int32_t size = shim_subgroup;
    int32_t count = work_items / size;

    for (int32_t i = 0; i < count; i++)
        waiting[i] = i * size;
    shuffle(random, waiting, count);
    while (count > 0) {
        const int32_t at = (int32_t)bench_random_below(random, count);
        const char *wrong = run_subgroup(random, waiting[at], size);

        if (wrong)
            return wrong;
        if (!items[waiting[at]].at_collective)
            waiting[at] = waiting[--count];
    }
    return check_together(0, work_items);
}

static const char *run_group(bench_random *random, int32_t work_items)
{
    items = sets[groups_run++ % 2];
    begin_memory();
    for (int32_t i = 0; i < work_items; i++) {
        const fiber kept = items[i].fiber;
        items[i] = (work_item){ .fiber = kept, .line = -1 };
        fiber_begin(&items[i].fiber, begin_item);
    }
    do {
        const char *wrong = run_phase(random, work_items);
        if (wrong)
            return wrong;
    } while (items[0].line != 0);
    return NULL;
}

/* Runs all groups, in an order that follows from the seed. */
static const char *run_groups(int64_t groups, int32_t work_items, uint64_t seed)
{
    bench_random random = { seed };
    const char *wrong = NULL;
    /* An odd step modulo a power of two visits every number; those past the last group are
     * skipped. */
    int64_t size = 1;

    while (size < groups)
        size *= 2;
    const int64_t step = bench_random_below(&random, size) | 1;
    for (int64_t i = 0, group = bench_random_below(&random, size); i < size && !wrong; i++) {
        group = (group + step) & (size - 1);
        if (group >= groups)
            continue;
        shim_group = group;
        wrong = run_group(&random, work_items);
    }
    return wrong;
}

const char *shim_run(const shim_kernel *kernel, const void *const *argument, shim_shape shape,
                     uint64_t seed)
{
    if (!fibers_exist())
        return "there are no fibers for this CPU";
    if (shape.items < 1 || shape.items > MOST_ITEMS)
        return "too many work-items";
    if (shape.subgroup > 1 && shape.items % shape.subgroup != 0)
        return "the last subgroup is not a whole one";
    if (!make_memory(shape.groups, shape.items, shape.local_bytes))
        return "there is no memory for the groups";
    shim_subgroup = shape.subgroup > 1 ? shape.subgroup : shape.items;
    running = kernel;
    arguments = argument;
    fiber_release(launch_begins);
    const char *wrong = run_groups(shape.groups, shape.items, seed);
    fiber_acquire(launch_ends);
    free_memory();
    return wrong;
}

const shim_kernel *shim_find(const char *module, const char *kernel)
{
    for (const shim_program *p = shim_programs; p && p->module; p++)
        for (const shim_kernel *k = p->kernels; strcmp(p->module, module) == 0 && k->name; k++)
            if (strcmp(k->name, kernel) == 0)
                return k;
    return NULL;
}
