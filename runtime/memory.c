/* memory.c: aligned, padded allocations. Nothing is shared; everything may run at once. */
#include "memory.h"

#include "spmv_module.h"

#include <stdlib.h>
#include <string.h>

void *spmv_memory_alloc(size_t bytes)
{
    const size_t alignment = SPMV_ALIGNMENT;
    size_t capacity;
    char *memory;

    if (bytes > PTRDIFF_MAX - 2 * alignment)
        return NULL;
    capacity = (bytes + 2 * alignment - 1) / alignment * alignment;
    memory = aligned_alloc(alignment, capacity);
    if (memory != NULL)
        memset(memory + bytes, 0, capacity - bytes);
    return memory;
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
