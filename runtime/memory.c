/* memory.c: aligned allocations. Nothing is shared; everything may run at once. */
#ifdef __linux__
#define _DEFAULT_SOURCE                  /* madvise */
#endif

#include "memory.h"

#include "spmv_module.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

enum {
    HUGE_PAGE = 2 << 20,         /* of x86-64 and of most aarch64 */
    HUGE_FROM = 2 * HUGE_PAGE    /* bytes; of less there may be no whole page */
};

void *spmv_memory_alloc(size_t bytes)
{
    const size_t alignment = SPMV_ALIGNMENT;

    if (bytes > PTRDIFF_MAX - 2 * alignment)
        return NULL;
    /* aligned_alloc takes whole multiples, of which 0 may give NULL. */
    return aligned_alloc(alignment, bytes / alignment * alignment + alignment);
}

void spmv_memory_expect_all(void *memory, size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const uintptr_t begin = ((uintptr_t)memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    const uintptr_t end = ((uintptr_t)memory + bytes) / HUGE_PAGE * HUGE_PAGE;

    if (bytes >= HUGE_FROM && begin < end)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
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
