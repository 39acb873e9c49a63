
/* CUDA C++98 for every CUDA since 6.0. The C file beside it has the rest. */
#include <cuda_runtime.h>

/* The only place that launches kernels. `arguments` has parentheses. */
#ifndef SPMV_LAUNCH
#define SPMV_LAUNCH(kernel, groups, items, stream, arguments)                                      \
    kernel<<<groups, items, 0, stream>>> arguments
#endif

/* ---- kernels ------------------------------------------------------------------------------- */

#define SPMV_LINKAGE static
@kernels@

/* ---- launches ------------------------------------------------------------------------------
 *
 * argument[i] points to the value of argument i. groups == 0: nothing is launched, but the kernel
 * is loaded, which a driver that loads kernels on first use cannot do during a capture. */

template <typename kernel_type>
static int spmv_load(kernel_type *kernel)
{
    cudaFuncAttributes attributes;

    return static_cast<int>(cudaFuncGetAttributes(&attributes, (const void *)kernel));
}
@launchers@
/* ---- CUDA's functions for the C file ------------------------------------------------------- */

extern "C" int spmv_cuda_open(int *capability, int *has_managed, int *is_concurrent)
{
    int device = 0, major = 0, minor = 0;
    cudaError_t code = cudaGetDevice(&device);

    *has_managed = *is_concurrent = 0;
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(has_managed, cudaDevAttrManagedMemory, device);
#if CUDART_VERSION >= 8000
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(is_concurrent, cudaDevAttrConcurrentManagedAccess, device);
#endif
    *capability = 10 * major + minor;
    return static_cast<int>(code);
}

extern "C" int spmv_cuda_allocate(void **memory, size_t bytes, int is_managed)
{
    const cudaError_t code = is_managed ? cudaMallocManaged(memory, bytes, cudaMemAttachGlobal)
                                        : cudaMalloc(memory, bytes);

    return static_cast<int>(code);
}

extern "C" int spmv_cuda_release(void *memory)
{
    return static_cast<int>(cudaFree(memory));
}

extern "C" int spmv_cuda_copy(void *to, const void *from, size_t bytes, int is_to_device,
                              cudaStream_t stream)
{
    return static_cast<int>(cudaMemcpyAsync(
        to, from, bytes, is_to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream));
}

extern "C" int spmv_cuda_wait(cudaStream_t stream)
{
    return static_cast<int>(cudaStreamSynchronize(stream));
}

extern "C" int spmv_cuda_wait_for_all(void)
{
    return static_cast<int>(cudaDeviceSynchronize());
}

extern "C" int spmv_cuda_is_managed(const void *memory)
{
    cudaPointerAttributes found;

    if (cudaPointerGetAttributes(&found, memory) != cudaSuccess) {
        cudaGetLastError();      /* CUDA did not know this memory: that is no error */
        return 0;
    }
#if CUDART_VERSION >= 10000
    return found.type == cudaMemoryTypeManaged;
#else
    return found.isManaged;
#endif
}

extern "C" int spmv_cuda_is_captured(cudaStream_t stream)
{
#if CUDART_VERSION >= 10000
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;

    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status != cudaStreamCaptureStatusNone;
#else
    static_cast<void>(stream);
    return 0;
#endif
}

extern "C" int spmv_cuda_event_make(cudaEvent_t *event)
{
    return static_cast<int>(cudaEventCreate(event));
}

extern "C" int spmv_cuda_event_free(cudaEvent_t event)
{
    return static_cast<int>(cudaEventDestroy(event));
}

extern "C" int spmv_cuda_event_record(cudaEvent_t event, cudaStream_t stream)
{
    return static_cast<int>(cudaEventRecord(event, stream));
}

extern "C" int spmv_cuda_event_seconds(cudaEvent_t start, cudaEvent_t stop, double *seconds)
{
    float milliseconds = 0;
    const cudaError_t code = cudaEventElapsedTime(&milliseconds, start, stop);

    *seconds = static_cast<double>(milliseconds) * 1e-3;
    return static_cast<int>(code);
}

/* The text of an error, which CUDA then forgets. */
extern "C" const char *spmv_cuda_error_text(int code)
{
    cudaGetLastError();
    return cudaGetErrorString(static_cast<cudaError_t>(code));
}
