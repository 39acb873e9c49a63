/* copy.h: the bandwidth of the GPU's memory, as the yardstick of a multiplication. A copy counts
 * bytes read plus bytes written. Reading is measured alone, too, since a multiplication mostly
 * reads. */
#ifndef GPU_COPY_H
#define GPU_COPY_H

#include "bench/gpu/device.h"

typedef struct gpu_copy_rate {
    const char *how;             /* "cudaMemcpyAsync", "kernel of 16-byte loads"; NULL: none */
    double rate;                 /* bytes a second, from the median time */
    double best;                 /* from the least time */
} gpu_copy_rate;

enum { GPU_COPY_METHODS = 2 };

typedef struct gpu_bandwidth {
    size_t bytes;                /* size of the array */
    size_t samples;
    gpu_copy_rate copy[GPU_COPY_METHODS];
    const gpu_copy_rate *fastest;        /* of copy, by the median */
    gpu_copy_rate read;          /* bytes read a second; how is NULL without that kernel */
} gpu_bandwidth;

bool gpu_bandwidth_measure(const gpu_device *device, gpu_bandwidth *out, spmv_error *error);

/* Kernels of copy_kernel.cu, which is built if there is nvcc. They start a copy, or a reading, of
 * whole groups of 16 bytes. Reading may write the first 4 bytes of `to`. */
int gpu_copy_kernel(const void *from, void *to, size_t bytes, int multiprocessors,
                    cudaStream_t stream);
int gpu_read_kernel(const void *from, void *to, size_t bytes, int multiprocessors,
                    cudaStream_t stream);

#endif
