/* fake_cudart.h: CUDA's runtime API on the CPU, and what a test may ask of it. Kernels run at once,
 * in the shim (shim.h), on the calling thread.
 *
 * The device shares memory as a Tegra K1 does: the host cannot touch managed memory from a launch
 * to the next cudaDeviceSynchronize, and memory of the device not at all. Such an access ends the
 * program. With FAKE_CUDA=discrete there is no managed memory.
 */
#ifndef TEST_FAKE_CUDART_H
#define TEST_FAKE_CUDART_H

#include <stddef.h>
#include <stdint.h>

struct CUstream_st;

#ifdef __cplusplus
extern "C" {
#endif

void fake_launch(const char *kernel, void (*call)(const void *const *argument), unsigned groups,
                 unsigned items, struct CUstream_st *stream, void *const *argument);

/* Calls of CUDA so far, launches included, and those that cannot be captured into a graph, or are
 * of the default stream: allocations, waits, queries, events, blocking copies. */
long fake_calls(void);
long fake_uncapturable_calls(void);

/* Of the calls, launches of kernels, and bytes that were copied between host and device. */
long fake_launches(void);
size_t fake_copied_bytes(void);

/* Allocations that were not freed. */
long fake_allocations(void);

/* Lets the allocation after `count` others fail; -1: none. */
void fake_fail_allocation(long count);

#ifdef __cplusplus
}
#endif
#endif
