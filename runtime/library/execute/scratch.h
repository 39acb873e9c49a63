/* scratch.h: a plan's own workspaces, which one multiplication at a time uses. */
#ifndef SPMV_SCRATCH_H
#define SPMV_SCRATCH_H

#include "runtime/library/plan/plan.h"

/* Takes the workspaces. Returns 0 if another multiplication has them, otherwise 1. */
int spmv_scratch_take(spmv_scratch *scratch);
void spmv_scratch_give_back(spmv_scratch *scratch);

#endif
