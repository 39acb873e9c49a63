/* memory.h: every allocation of the library goes through here, so that a test can make each of them
 * fail in turn and see that none is made where none may be. */
#ifndef SPMV_MEMORY_H
#define SPMV_MEMORY_H

#include <stddef.h>

/* `bytes` bytes aligned to SPMV_ALIGNMENT, or NULL; never NULL for 0 bytes alone. They are not
 * touched: whoever fills them first decides which memory node holds them. */
void *spmv_memory_alloc(size_t bytes);

/* As spmv_memory_alloc, for what will be used as a whole and streamed through, again and again: in huge pages, where
 * the system leaves that to programs. Fewer pages to fault in and to look up; what is used here and there only would be
 * filled with zeros as a whole. */
void *spmv_memory_alloc_streamed(size_t bytes);

void *spmv_memory_alloc_zeroed(size_t bytes);
void spmv_memory_free(void *memory);                             /* NULL is fine */

#endif
