/* slot_pool.c: see slot_pool.h. */
#include "runtime/device/slot_pool.h"

#include <stddef.h>

void spmv_slot_pool_begin(spmv_slot_pool *pool)
{
    for (int i = 0; i < SPMV_SLOTS; i++) {
        atomic_flag_clear(&pool->slot[i].busy);
        atomic_init(&pool->slot[i].queue, NULL);
    }
}

static int take(spmv_slot_pool *pool, int slot, void *queue)
{
    if (atomic_flag_test_and_set_explicit(&pool->slot[slot].busy, memory_order_acquire))
        return 0;
    atomic_store_explicit(&pool->slot[slot].queue, queue, memory_order_relaxed);
    return 1;
}

/* Only suitable slots are taken: trying others would make them look busy to other threads. */
int spmv_slot_pool_take(spmv_slot_pool *pool, spmv_slot_kind kind, void *queue)
{
    if (kind == SPMV_SLOT_OWN)
        return take(pool, 0, queue) ? 0 : -1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 1; i < SPMV_SLOTS; i++) {
            const void *used = atomic_load_explicit(&pool->slot[i].queue, memory_order_relaxed);
            const int is_preferred = used == NULL || (kind == SPMV_SLOT_ANY && used == queue);

            if ((pass == 1 || is_preferred) && take(pool, i, queue))
                return i;
        }
    return -1;
}

void spmv_slot_pool_give_back(spmv_slot_pool *pool, int slot)
{
    atomic_flag_clear_explicit(&pool->slot[slot].busy, memory_order_release);
}
