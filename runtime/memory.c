/* memory.c: aligned allocations. Nothing is shared; everything may run at once. */
#include "memory.h"

#include "spmv_module.h"

#include <stdlib.h>
#include <string.h>

void *spmv_memory_alloc(size_t bytes)
{
    const size_t alignment = SPMV_ALIGNMENT;

    if (bytes > PTRDIFF_MAX - 2 * alignment)
        return NULL;
    /* aligned_alloc takes whole multiples, of which 0 may give NULL. */
    return aligned_alloc(alignment, bytes / alignment * alignment + alignment);
}

void *spmv_memory_alloc_zeroed(size_t bytes)
{
    void *memory = spmv_memory_alloc(bytes);

    if (memory != NULL)
        memset(memory, 0, bytes);
    return memory;
}

void spmv_memory_free(void *memory)
{
    free(memory);
}
