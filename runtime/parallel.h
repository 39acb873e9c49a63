/* parallel.h: independent chunks of work spread over threads.
 *
 * The only file that knows OpenMP; without it everything runs on the calling thread. How many
 * threads take part never changes what is computed, only who computes it. Calls may nest and may
 * come from several application threads at once.
 */
#ifndef SPMV_PARALLEL_H
#define SPMV_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

/* More threads than any machine has; asking for more is taken for a mistake, since an OpenMP
 * runtime ends the program when it cannot start them. */
enum { SPMV_MAX_THREADS = 4096 };

/* Does chunks [first, last). */
typedef void spmv_range_run(const void *context, int64_t first, int64_t last);

/* The number of threads that `wanted` stands for, at least 1; 0 means all that OpenMP gives. */
int32_t spmv_parallel_threads(int32_t wanted);

/* Does chunks [0, grid) on at most `threads` threads, each of which takes one contiguous range. One
 * chunk or less runs on the calling thread. */
void spmv_parallel_run(int32_t threads, int64_t grid, spmv_range_run *run, const void *context);

/* memcpy, by all threads. The areas are the same or do not overlap. */
void spmv_parallel_copy(int32_t threads, void *target, const void *source, size_t bytes);

/* memset to zero, by all threads. */
void spmv_parallel_zero(int32_t threads, void *target, size_t bytes);

#endif
