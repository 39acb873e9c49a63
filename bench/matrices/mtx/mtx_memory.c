/* mtx_memory.c: counted allocation. See mtx_memory.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/matrices/mtx/mtx_memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t machine_memory(void)
{
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0)
        return (uint64_t)pages * (uint64_t)page_bytes;
#endif
    return UINT64_MAX;
}

void mtx_memory_init(mtx_memory *memory, uint64_t limit)
{
    *memory = (mtx_memory){ .limit = limit ? limit : machine_memory(), .grants = -1 };
}

void *mtx_memory_alloc(mtx_memory *memory, uint64_t count, size_t size)
{
    bool fits = size == 0 || count <= SIZE_MAX / size;
    uint64_t bytes = fits ? count * size : UINT64_MAX;
    memory->refused = bytes;
    if (!fits || bytes > memory->limit - memory->used || memory->grants == 0)
        return NULL;
    void *data = malloc(bytes ? (size_t)bytes : 1);
    if (!data)
        return NULL;
    if (memory->grants > 0)
        memory->grants--;
    memory->refused = 0;
    memory->used += bytes;
    if (memory->used > memory->peak)
        memory->peak = memory->used;
    return data;
}

void mtx_memory_free(mtx_memory *memory, void *data, uint64_t count, size_t size)
{
    if (!data)
        return;
    memory->used -= count * size;
    free(data);
}

mtx_status mtx_memory_fail(const mtx_memory *memory, const mtx_report *report, const char *what)
{
    return mtx_report_fail(report, MTX_OUT_OF_MEMORY, 0,
                           "no room for %s: %" PRIu64 " bytes beside the %" PRIu64 " in use, "
                           "expected at most %" PRIu64 " in all; use a machine with more memory, "
                           "or raise max_bytes if it is set", what, memory->refused, memory->used,
                           memory->limit);
}
