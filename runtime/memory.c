/* memory.c: aligned allocations. Nothing is shared; everything may run at once. */
#ifdef __linux__
#define _DEFAULT_SOURCE                  /* madvise */
#endif

#include "memory.h"

#include "spmv_module.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

enum {
    HUGE_PAGE = 2 << 20,         /* of x86-64 and of most aarch64 */
    HUGE_FROM = 4 * HUGE_PAGE    /* bytes; less is not worth the alignment */
};

/* Asks for huge pages, where the system leaves that to the program: streaming through a matrix misses the TLB
 * 512 times less often, and a build has so many fewer pages to fault in. */
static void ask_for_huge_pages(void *memory, size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    (void)madvise(memory, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

void *spmv_memory_alloc(size_t bytes)
{
    const size_t alignment = bytes >= HUGE_FROM ? HUGE_PAGE : SPMV_ALIGNMENT;
    void *memory;

    if (bytes > PTRDIFF_MAX - 2 * alignment)
        return NULL;
    /* aligned_alloc takes whole multiples, of which 0 may give NULL. */
    memory = aligned_alloc(alignment, bytes / alignment * alignment + alignment);
    if (memory != NULL && bytes >= HUGE_FROM)
        ask_for_huge_pages(memory, bytes);
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
