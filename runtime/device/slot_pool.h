/* slot_pool.h: taking turns at the slots of a plan on a device. A slot is what one multiplication
 * has for itself there; a backend keeps its slots, this who has which. Any thread may ask at any
 * time; nobody ever waits. */
#ifndef SPMV_SLOT_POOL_H
#define SPMV_SLOT_POOL_H

#include <stdatomic.h>

/* The first slot is the plan's own, for executes without a workspace. */
enum { SPMV_SLOTS = 16 };

typedef enum spmv_slot_kind {
    SPMV_SLOT_OWN,               /* the plan's own slot */
    SPMV_SLOT_ANY,               /* another one, best one that this queue used last */
    SPMV_SLOT_FRESH              /* another one, best one that nobody has used yet */
} spmv_slot_kind;

typedef struct spmv_slot_pool {
    struct {
        atomic_flag busy;        /* somebody has it */
        _Atomic(void *) queue;   /* that used it last; never used but to compare */
    } slot[SPMV_SLOTS];
} spmv_slot_pool;

void spmv_slot_pool_begin(spmv_slot_pool *pool);

/* The index of a slot that is the caller's from now on, or -1. queue: not NULL. */
int spmv_slot_pool_take(spmv_slot_pool *pool, spmv_slot_kind kind, void *queue);
void spmv_slot_pool_give_back(spmv_slot_pool *pool, int slot);

#endif
