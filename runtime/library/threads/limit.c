/* limit.c: the process-wide limit of threads. Thread-safe. */
#include "runtime/spmv.h"

#include <stdatomic.h>

static _Atomic int32_t limit;            /* 0: none */

void spmv_set_thread_limit(int32_t threads)
{
    atomic_store_explicit(&limit, threads > 0 ? threads : 0, memory_order_relaxed);
}

int32_t spmv_thread_limit(void)
{
    return atomic_load_explicit(&limit, memory_order_relaxed);
}
