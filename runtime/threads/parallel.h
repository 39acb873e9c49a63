/* parallel.h: independent chunks of work spread over threads.
 *
 * How many threads take part never changes what is computed, only who computes it. Calls may nest
 * and may come from several application threads at once. threads may be NULL: the calling thread.
 */
#ifndef SPMV_PARALLEL_H
#define SPMV_PARALLEL_H

#include "runtime/threads/team.h"

/* Does chunks [first, last). */
typedef void spmv_range_run(const void *context, int64_t first, int64_t last);

/* The parts that `grid` chunks are cut into: one contiguous range of chunks for each thread. */
int32_t spmv_parallel_parts(const spmv_threads *threads, int64_t grid);

/* Does chunks [0, grid). One chunk or less runs on the calling thread. */
void spmv_parallel_run(const spmv_threads *threads, int64_t grid, spmv_range_run *run,
                       const void *context);

/* memcpy, by all threads. The areas are the same or do not overlap. */
void spmv_parallel_copy(const spmv_threads *threads, void *target, const void *source,
                        size_t bytes);

/* memset to zero, by all threads. */
void spmv_parallel_zero(const spmv_threads *threads, void *target, size_t bytes);

#endif
