/* slot_pool.c: see slot_pool.h. */
#include "runtime/device/slot_pool.h"

#include <stdint.h>

enum { ADDRESS_STEP = 8 };       /* objects of a queue differ by more bytes */

static int32_t number_of(const void *queue)
{
    const int32_t number = (int32_t)((uintptr_t)queue / ADDRESS_STEP & INT32_MAX);

    return number != 0 ? number : 1;
}

void spmv_slot_pool_begin(spmv_slot_pool *pool)
{
    for (int i = 0; i < SPMV_SLOTS; i++) {
        spmv_atomic_set(&pool->slot[i].busy, 0);
        spmv_atomic_set(&pool->slot[i].queue, 0);
    }
}

static int take(spmv_slot_pool *pool, int slot, int32_t number)
{
    if (!spmv_atomic_try_lock(&pool->slot[slot].busy))
        return 0;
    spmv_atomic_set(&pool->slot[slot].queue, number);
    return 1;
}

/* Only suitable slots are taken: trying others would make them look busy to other threads. */
int spmv_slot_pool_take(spmv_slot_pool *pool, spmv_slot_kind kind, void *queue)
{
    const int32_t number = number_of(queue);

    if (kind == SPMV_SLOT_OWN)
        return take(pool, 0, number) ? 0 : -1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 1; i < SPMV_SLOTS; i++) {
            const int32_t used = spmv_atomic_get(&pool->slot[i].queue);
            const int is_preferred = used == 0 || used == number;

            if ((pass == 1 || is_preferred) && take(pool, i, number))
                return i;
        }
    return -1;
}

void spmv_slot_pool_give_back(spmv_slot_pool *pool, int slot)
{
    spmv_atomic_unlock(&pool->slot[slot].busy);
}
