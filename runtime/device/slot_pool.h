/* slot_pool.h: which slots of a plan on a device are in use. A slot is the resources of one running
 * multiplication; the backend owns the slots. Any thread may call these functions at any time; they
 * never wait. */
#ifndef SPMV_SLOT_POOL_H
#define SPMV_SLOT_POOL_H

#include "runtime/base/atomic.h"

/* The first slot is the plan's own, for executes without a workspace. */
enum { SPMV_SLOTS = 16 };

typedef enum spmv_slot_kind {
    SPMV_SLOT_OWN,               /* the plan's own slot */
    SPMV_SLOT_ANY                /* another one, preferably one that this queue used last */
} spmv_slot_kind;

typedef struct spmv_slot_pool {
    struct {
        spmv_atomic busy;        /* the slot is in use */
        spmv_atomic queue;       /* a number of the queue that used the slot last; 0: none. Equal
                                    numbers of two queues only make a slot look preferable */
    } slot[SPMV_SLOTS];
} spmv_slot_pool;

void spmv_slot_pool_begin(spmv_slot_pool *pool);

/* Takes a slot and returns its index; -1: none is free. queue: not NULL. */
int spmv_slot_pool_take(spmv_slot_pool *pool, spmv_slot_kind kind, void *queue);
void spmv_slot_pool_give_back(spmv_slot_pool *pool, int slot);

#endif
