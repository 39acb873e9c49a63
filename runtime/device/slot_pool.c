/* slot_pool.c: see slot_pool.h. */
#include "runtime/device/slot_pool.h"

#include <stddef.h>

void spmv_turns_begin(spmv_turns *turns)
{
    for (int i = 0; i < SPMV_LANES; i++) {
        atomic_flag_clear(&turns->lane[i].busy);
        atomic_init(&turns->lane[i].queue, NULL);
    }
}

static int take(spmv_turns *turns, int lane, void *queue)
{
    if (atomic_flag_test_and_set_explicit(&turns->lane[lane].busy, memory_order_acquire))
        return 0;
    atomic_store_explicit(&turns->lane[lane].queue, queue, memory_order_relaxed);
    return 1;
}

/* A lane that is only looked at is not taken, so that nobody else finds it busy. */
int spmv_turns_take(spmv_turns *turns, spmv_turn_kind kind, void *queue)
{
    if (kind == SPMV_TURN_OWN)
        return take(turns, 0, queue) ? 0 : -1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 1; i < SPMV_LANES; i++) {
            const void *used = atomic_load_explicit(&turns->lane[i].queue, memory_order_relaxed);
            const int is_liked = used == NULL || (kind == SPMV_TURN_ANY && used == queue);

            if ((pass == 1 || is_liked) && take(turns, i, queue))
                return i;
        }
    return -1;
}

void spmv_turns_give_back(spmv_turns *turns, int lane)
{
    atomic_flag_clear_explicit(&turns->lane[lane].busy, memory_order_release);
}
