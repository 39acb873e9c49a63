/* memory.c: aligned allocations. Thread-safe: no shared state. */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE                  /* madvise */
#endif

#include "runtime/base/memory.h"

#include "runtime/base/aligned.h"
#include "runtime/spmv_module.h"

#include <stdint.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

enum {
    HUGE_PAGE = 2 << 20,         /* of x86-64 and of most aarch64 */
    HUGE_FROM = 2 * HUGE_PAGE    /* bytes; smaller allocations gain nothing */
};

static void *alloc_aligned(size_t bytes, size_t alignment)
{
    if (bytes > (size_t)PTRDIFF_MAX - 4 * alignment)
        return NULL;
    /* aligned_alloc takes multiples of the alignment, and may return NULL for 0. */
    return spmv_aligned_alloc(bytes / alignment * alignment + alignment, alignment);
}

void *spmv_memory_alloc(size_t bytes)
{
    return alloc_aligned(bytes, SPMV_ALIGNMENT);
}

#if defined(__linux__) && defined(MADV_HUGEPAGE)

void *spmv_memory_alloc_streamed(size_t bytes)
{
    void *memory;

    if (bytes < HUGE_FROM)
        return spmv_memory_alloc(bytes);
    memory = alloc_aligned(bytes, HUGE_PAGE);
    /* The last page counts if at least half of it is used. */
    if (memory != NULL)
        (void)madvise(memory, (bytes + HUGE_PAGE / 2) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    return memory;
}

#else

void *spmv_memory_alloc_streamed(size_t bytes)
{
    return spmv_memory_alloc(bytes);
}

#endif

void *spmv_memory_alloc_zeroed(size_t bytes)
{
    void *memory = spmv_memory_alloc(bytes);

    if (memory != NULL)
        memset(memory, 0, bytes);
    return memory;
}

void spmv_memory_free(void *memory)
{
    spmv_aligned_free(memory);
}
