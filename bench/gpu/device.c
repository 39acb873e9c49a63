/* device.c: see device.h. */
#include "bench/gpu/device.h"

#include <stdio.h>
#include <string.h>

#include "common/fail.h"

/* What to do about an error whose text by CUDA does not say it. */
static void explain(cudaError_t code, spmv_error *error)
{
    const size_t used = strlen(error->text), left = sizeof error->text - used;
    int driver = 0, runtime = 0;
    size_t free_bytes = 0, all = 0;

    if (code == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
        driver == 0)
        snprintf(error->text + used, left, "; there is no driver: libcuda.so.1 is not found");
    else if (code == cudaErrorInsufficientDriver &&
             cudaRuntimeGetVersion(&runtime) == cudaSuccess)
        snprintf(error->text + used, left, "; the driver is for CUDA %d.%d, and gpubench was built "
                 "with CUDA %d.%d: build it with CUDA %d, or take a newer driver", driver / 1000,
                 driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10, driver / 1000);
    else if (code == cudaErrorMemoryAllocation && cudaMemGetInfo(&free_bytes, &all) == cudaSuccess)
        snprintf(error->text + used, left, "; %.1f of %.1f GB of the GPU's memory are free",
                 (double)free_bytes * 1e-9, (double)all * 1e-9);
}

bool gpu_check(cudaError_t code, const char *call, spmv_error *error)
{
    if (code == cudaSuccess)
        return true;
    sg_fail(error, "%.*s: %s (%s)", (int)strcspn(call, "("), call, cudaGetErrorString(code),
            cudaGetErrorName(code));
    (void)cudaGetLastError();        /* clears the error, else the next call returns it */
    explain(code, error);
    return false;
}

static bool read_facts(gpu_device *out, spmv_error *error)
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

bool gpu_device_open(gpu_device *out, spmv_error *error)
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

bool gpu_upload(const void *host, size_t bytes, size_t room, void **out, spmv_error *error)
{
    *out = NULL;
    if (!GPU_TRY(cudaMalloc(out, room > 0 ? room : 1), error)) {
        const size_t used = strlen(error->text);
        snprintf(error->text + used, sizeof error->text - used, "; an array has %.1f MB",
                 (double)room * 1e-6);
        return false;
    }
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
