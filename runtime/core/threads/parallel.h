/* parallel.h: independent chunks of work spread over threads.
 *
 * The number of threads never changes a result. Calls may nest, and may come from several
 * application threads concurrently. threads == NULL: the calling thread does everything.
 */
#ifndef SPMV_PARALLEL_H
#define SPMV_PARALLEL_H

#include "runtime/core/threads/team.h"

/* Does chunks [first, last). */
typedef void spmv_range_run(const void *context, int64_t first, int64_t last);

/* The parts that `grid` chunks are cut into: one contiguous range of chunks for each thread. */
int32_t spmv_parallel_parts(const spmv_threads *threads, int64_t grid);

/* The first chunk of a part, or `grid` if part == parts. The first parts may have one more. */
static inline int64_t spmv_parallel_begin(int64_t grid, int64_t parts, int64_t part)
{
    const int64_t left = grid % parts;

    return part * (grid / parts) + (part < left ? part : left);
}

/* Does chunks [0, grid). One chunk or less runs on the calling thread. */
void spmv_parallel_run(const spmv_threads *threads, int64_t grid, spmv_range_run *run,
                       const void *context);

/* memcpy by all threads. The areas are the same or do not overlap. */
void spmv_parallel_copy(const spmv_threads *threads, void *target, const void *source,
                        size_t bytes);

/* memset to zero by all threads. */
void spmv_parallel_zero(const spmv_threads *threads, void *target, size_t bytes);

#endif
