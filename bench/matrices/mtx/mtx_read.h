/* mtx_read.h: mtx_read with a memory count of the caller, for the reader's own tests. */
#ifndef MTX_READ_H
#define MTX_READ_H

#include "bench/matrices/mtx/mtx_memory.h"

/* As mtx_read and mtx_read_memory. The result's arrays stay counted in memory->used, also after
 * mtx_free, which has no access to the count. */
mtx_status mtx_read_within(mtx_memory *memory, const char *path, const mtx_options *options,
                           mtx_matrix *out, mtx_error *err);
mtx_status mtx_read_memory_within(mtx_memory *memory, const char *name, const void *bytes,
                                  size_t size, const mtx_options *options, mtx_matrix *out,
                                  mtx_error *err);

#endif
