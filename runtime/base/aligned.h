/* aligned.h: aligned memory: the C library's in libspmv, the caller's in bundles. */
#ifndef SPMV_ALIGNED_H
#define SPMV_ALIGNED_H

#include <stddef.h>

/* `alignment` is a power of two, and `bytes` a multiple of it, at most PTRDIFF_MAX - 3 * alignment.
 * NULL: no memory. */
void *spmv_aligned_alloc(size_t bytes, size_t alignment);
void spmv_aligned_free(void *memory);                            /* NULL is fine */

#endif
