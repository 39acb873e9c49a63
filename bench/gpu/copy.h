/* copy.h: how fast the GPU's memory is copied, as the yardstick of a multiplication, which is
 * limited by it: bytes read plus bytes written, over time. And how fast it is read alone, since a
 * multiplication mostly reads. */
#ifndef GPU_COPY_H
#define GPU_COPY_H

#include "bench/gpu/device.h"

typedef struct gpu_copy_rate {
    const char *how;             /* "cudaMemcpyAsync", "kernel of 16-byte loads"; NULL: not measured */
    double rate;                 /* bytes a second, by the median time */
    double best;                 /* by the least */
} gpu_copy_rate;

enum { GPU_COPY_METHODS = 2 };

typedef struct gpu_bandwidth {
    size_t bytes;                /* of the array that is copied */
    size_t samples;
    gpu_copy_rate copy[GPU_COPY_METHODS];
    const gpu_copy_rate *fastest;        /* of copy, by the median */
    gpu_copy_rate read;          /* bytes read a second; how is NULL where no kernel does it */
} gpu_bandwidth;

bool gpu_bandwidth_measure(const gpu_device *device, gpu_bandwidth *out, gpu_error *error);

/* copy_kernel.cu, where this was built with nvcc: starts the copy, or the reading, of whole groups
 * of 16 bytes. Reading may write the first 4 bytes of `to`. */
int gpu_copy_kernel(const void *from, void *to, size_t bytes, int multiprocessors,
                    cudaStream_t stream);
int gpu_read_kernel(const void *from, void *to, size_t bytes, int multiprocessors,
                    cudaStream_t stream);

#endif
