/* memory.h: all allocations of the library. Tests make each of them fail in turn, and check that
 * calls which must not allocate do not. */
#ifndef SPMV_MEMORY_H
#define SPMV_MEMORY_H

#include <stddef.h>

/* Allocates `bytes` bytes aligned to SPMV_ALIGNMENT; 0 bytes give a pointer, too. NULL: out of
 * memory. The pages are not touched: the first thread to write a page decides its memory node. */
void *spmv_memory_alloc(size_t bytes);

/* Like spmv_memory_alloc, for arrays that are streamed as a whole many times. Requests huge pages,
 * where programs may, for fewer page faults and TLB misses. Sparsely used memory should not have
 * huge pages, since the system zeroes each page as a whole. */
void *spmv_memory_alloc_streamed(size_t bytes);

void *spmv_memory_alloc_zeroed(size_t bytes);
void spmv_memory_free(void *memory);                             /* NULL is fine */

#endif
