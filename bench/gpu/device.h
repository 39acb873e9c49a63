/* device.h: the GPU that gpubench runs on, and the errors of CUDA's calls.
 *
 * There is one GPU, the first that CUDA shows (CUDA_VISIBLE_DEVICES selects it), one stream and one
 * thread.
 */
#ifndef GPU_DEVICE_H
#define GPU_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/spmv.h"

/* True for success; else error has the failed call and the reason. */
bool gpu_check(cudaError_t code, const char *call, spmv_error *error);
#define GPU_TRY(call, error) gpu_check((call), #call, (error))

typedef struct gpu_device {
    cudaStream_t stream;
    char name[256];
    int capability;              /* 10 * major + minor */
    int multiprocessors;
    int driver, runtime;         /* versions, 1000 * major + 10 * minor */
    size_t l2_bytes, memory_bytes;
} gpu_device;

bool gpu_device_open(gpu_device *out, spmv_error *error);
void gpu_device_close(gpu_device *device);           /* all zero is fine */

/* Allocates `room` bytes of the device's memory: the first `bytes` are copied from the host, the
 * rest is 0. */
bool gpu_upload(const void *host, size_t bytes, size_t room, void **out, spmv_error *error);

size_t gpu_free_bytes(void);                         /* 0: unknown */

#endif
