/* aligned.c: see aligned.h. Thread-safe: no shared state. */
#include "runtime/base/aligned.h"

#include <stdlib.h>

void *spmv_aligned_alloc(size_t bytes, size_t alignment)
{
    return aligned_alloc(alignment, bytes);
}

void spmv_aligned_free(void *memory)
{
    free(memory);
}
