/* device.c: see device.h. */
#include "bench/gpu/device.h"

#include <stdio.h>
#include <string.h>

bool gpu_check(cudaError_t code, const char *call, gpu_error *error)
{
    if (code == cudaSuccess)
        return true;
    snprintf(error->text, sizeof error->text, "%.*s: %s (%s)", (int)strcspn(call, "("), call,
             cudaGetErrorString(code), cudaGetErrorName(code));
    (void)cudaGetLastError();        /* clears the error, else the next call returns it */
    return false;
}

static bool read_facts(gpu_device *out, gpu_error *error)
{
    struct cudaDeviceProp facts;

    if (!GPU_TRY(cudaDriverGetVersion(&out->driver), error) ||
        !GPU_TRY(cudaRuntimeGetVersion(&out->runtime), error) ||
        !GPU_TRY(cudaGetDeviceProperties(&facts, 0), error))
        return false;
    snprintf(out->name, sizeof out->name, "%s", facts.name);
    out->capability = 10 * facts.major + facts.minor;
    out->multiprocessors = facts.multiProcessorCount;
    out->l2_bytes = (size_t)facts.l2CacheSize;
    out->memory_bytes = facts.totalGlobalMem;
    return true;
}

bool gpu_device_open(gpu_device *out, gpu_error *error)
{
    *out = (gpu_device){ .stream = NULL };
    return GPU_TRY(cudaSetDevice(0), error) && read_facts(out, error) &&
           GPU_TRY(cudaStreamCreateWithFlags(&out->stream, cudaStreamNonBlocking), error);
}

void gpu_device_close(gpu_device *device)
{
    if (device->stream)
        cudaStreamDestroy(device->stream);
    *device = (gpu_device){ .stream = NULL };
}

bool gpu_upload(const void *host, size_t bytes, size_t room, void **out, gpu_error *error)
{
    *out = NULL;
    if (!GPU_TRY(cudaMalloc(out, room > 0 ? room : 1), error))
        return false;
    if (GPU_TRY(cudaMemset(*out, 0, room > 0 ? room : 1), error) &&
        (bytes == 0 || GPU_TRY(cudaMemcpy(*out, host, bytes, cudaMemcpyHostToDevice), error)) &&
        /* The copy and the memset run in the default stream, for which the stream does not wait. */
        GPU_TRY(cudaDeviceSynchronize(), error))
        return true;
    cudaFree(*out);
    *out = NULL;
    return false;
}

size_t gpu_free_bytes(void)
{
    size_t free_bytes = 0, all = 0;

    return cudaMemGetInfo(&free_bytes, &all) == cudaSuccess ? free_bytes : 0;
}
