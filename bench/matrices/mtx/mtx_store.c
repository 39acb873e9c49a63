/* mtx_store.c: blocks of entries. See mtx_store.h. */
#include "bench/matrices/mtx/mtx_store.h"

enum { BLOCK_MIN = 1 << 8, BLOCK_MAX = 1 << 15 };

static size_t entry_bytes(const mtx_store *store)
{
    return 2 * sizeof(int32_t) + (store->has_values ? sizeof(double) : 0);
}

static uint64_t block_bytes(const mtx_store *store, uint32_t capacity)
{
    return sizeof(mtx_block) + capacity * entry_bytes(store);
}

bool mtx_store_grow(mtx_store *store)
{
    uint32_t capacity = store->count < BLOCK_MIN   ? BLOCK_MIN
                        : store->count > BLOCK_MAX ? BLOCK_MAX
                                                   : (uint32_t)store->count;
    mtx_block *block = mtx_memory_alloc(store->memory, block_bytes(store, capacity), 1);
    if (!block)
        return false;
    *block = (mtx_block){ .capacity = capacity };
    char *data = (char *)(block + 1);
    if (store->has_values) {
        block->val = (double *)data;
        data += capacity * sizeof(double);
    }
    block->row = (int32_t *)data;
    block->col = block->row + capacity;
    if (store->last)
        store->last->next = block;
    else
        store->first = block;
    store->last = block;
    store->count += capacity;
    return true;
}

void mtx_store_drop(mtx_store *store)
{
    mtx_block *block = store->first;
    store->first = block->next;
    if (!store->first)
        store->last = NULL;
    store->count -= block->capacity;
    mtx_memory_free(store->memory, block, block_bytes(store, block->capacity), 1);
}

void mtx_store_clear(mtx_store *store)
{
    while (store->first)
        mtx_store_drop(store);
}
