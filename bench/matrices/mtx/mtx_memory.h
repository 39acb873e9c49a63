/* mtx_memory.h: the counted memory of one call of mtx_read.
 *
 * Every array of the reader is allocated here. So a limit holds for all arrays together, a hostile
 * size line is an error, and tests can read the peak or let any allocation fail. A count belongs to
 * one call and is not shared.
 */
#ifndef MTX_MEMORY_H
#define MTX_MEMORY_H

#include "bench/matrices/mtx/mtx_report.h"

typedef struct mtx_memory {
    uint64_t limit;              /* limit for bytes in use */
    uint64_t used, peak;
    uint64_t refused;            /* size of the last request that failed */
    int64_t grants;              /* tests: allocations that may still succeed; negative: any */
} mtx_memory;

/* limit 0: the physical memory of this machine. */
void mtx_memory_init(mtx_memory *memory, uint64_t limit);

/* Allocates count * size bytes, at least one, uninitialised. NULL: the product overflows, the limit
 * is exceeded, or memory ran out. */
void *mtx_memory_alloc(mtx_memory *memory, uint64_t count, size_t size);

/* Frees an allocation of the same count and size; NULL is fine. */
void mtx_memory_free(mtx_memory *memory, void *data, uint64_t count, size_t size);

/* Reports that there is no memory for `what`. */
mtx_status mtx_memory_fail(const mtx_memory *memory, const mtx_report *report, const char *what);

#endif
