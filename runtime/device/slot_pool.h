/* slot_pool.h: taking turns at the lanes of a plan on a device. A lane is what one multiplication has for
 * itself there; a backend keeps its lanes, this who has which. Any thread may ask at any time; nobody
 * ever waits. */
#ifndef SPMV_SLOT_POOL_H
#define SPMV_SLOT_POOL_H

#include <stdatomic.h>

/* The first lane is the plan's own, for executes without a workspace. */
enum { SPMV_LANES = 16 };

typedef enum spmv_turn_kind {
    SPMV_TURN_OWN,               /* the plan's own lane */
    SPMV_TURN_ANY,               /* another one, best one that this queue used last */
    SPMV_TURN_FRESH              /* another one, best one that nobody has used yet */
} spmv_turn_kind;

typedef struct spmv_turns {
    struct {
        atomic_flag busy;        /* somebody has it */
        _Atomic(void *) queue;   /* that used it last; never used but to compare */
    } lane[SPMV_LANES];
} spmv_turns;

void spmv_turns_begin(spmv_turns *turns);

/* The index of a lane that is the caller's from now on, or -1. queue: not NULL. */
int spmv_turns_take(spmv_turns *turns, spmv_turn_kind kind, void *queue);
void spmv_turns_give_back(spmv_turns *turns, int lane);

#endif
