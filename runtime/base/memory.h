/* memory.h: every allocation of the library. A test can make each of them fail in turn, and see
 * that calls which must not allocate do not. */
#ifndef SPMV_MEMORY_H
#define SPMV_MEMORY_H

#include <stddef.h>

/* `bytes` bytes aligned to SPMV_ALIGNMENT. NULL: no memory; 0 bytes are no reason for it. The pages
 * are not touched: the thread that writes a page first decides which memory node holds it. */
void *spmv_memory_alloc(size_t bytes);

/* As spmv_memory_alloc, for memory that is streamed through as a whole again and again. It asks for
 * huge pages where the system leaves that to programs: fewer page faults and TLB misses. Memory
 * that is used sparsely should not have them, since the system zeroes each page as a whole. */
void *spmv_memory_alloc_streamed(size_t bytes);

void *spmv_memory_alloc_zeroed(size_t bytes);
void spmv_memory_free(void *memory);                             /* NULL is fine */

#endif
