/* scratch.c: see scratch.h. Thread-safe. */
#include "runtime/library/execute/scratch.h"

#include "runtime/library/threads/process_lock.h"

#include <stddef.h>

int spmv_scratch_take(spmv_scratch *scratch)
{
    const spmv_lock_result result = spmv_process_lock_try(&scratch->busy);

    /* The parent's thread may just have been replacing this memory: it may be freed already. */
    if (result == SPMV_LOCK_INHERITED) {
        scratch->columns_memory = NULL;
        scratch->columns_bytes = 0;
    }
    return result != SPMV_LOCK_REFUSED;
}

void spmv_scratch_give_back(spmv_scratch *scratch)
{
    spmv_process_lock_release(&scratch->busy);
}
