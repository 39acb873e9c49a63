/* cuda/api.h: declarations of CUDA's driver API (NVIDIA, "CUDA Driver API"), so that the library
 * builds without CUDA's headers. The driver's library is loaded when a device is opened. Functions
 * newer than CUDA 6.0, the version of 32-bit Tegra, may be missing.
 */
#ifndef SPMV_CUDA_API_H
#define SPMV_CUDA_API_H

#include "runtime/spmv.h"

#include <stddef.h>
#include <stdint.h>

typedef int spmv_cuda_result;
typedef int spmv_cuda_device;
typedef uintptr_t spmv_cuda_pointer;     /* a pointer to memory of the device, as wide as the
                                            host's */
typedef struct spmv_cuda_context_object *spmv_cuda_context;
typedef struct spmv_cuda_module_object *spmv_cuda_module;
typedef struct spmv_cuda_function_object *spmv_cuda_function;
typedef struct spmv_cuda_stream_object *spmv_cuda_stream;
typedef struct spmv_cuda_event_object *spmv_cuda_event;
typedef struct spmv_cuda_graph_object *spmv_cuda_graph;
typedef struct spmv_cuda_user_object_object *spmv_cuda_user_object;

enum {
    CU_SUCCESS = 0,
    CU_INVALID_VALUE = 1,
    CU_OUT_OF_MEMORY = 2,
    CU_NO_DEVICE = 100,
    CU_INVALID_CONTEXT = 201,
    CU_NOT_FOUND = 500
};

/* Attributes of devices. */
enum {
    CU_MAX_THREADS_PER_BLOCK = 1,
    CU_MAX_GRID_DIM_X = 5,
    CU_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_WARP_SIZE = 10,
    CU_INTEGRATED = 18,
    CU_COMPUTE_MODE = 20,
    CU_UNIFIED_ADDRESSING = 41,
    CU_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_COMPUTE_CAPABILITY_MINOR = 76,
    CU_MANAGED_MEMORY = 83,
    CU_CONCURRENT_MANAGED_ACCESS = 89,
    CU_MAX_SHARED_MEMORY_ON_REQUEST = 97,
    CU_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES = 100
};

enum {
    CU_COMPUTE_MODE_PROHIBITED = 2,
    CU_FUNC_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_MAX_DYNAMIC_SHARED_MEMORY = 8,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE = 6,
    CU_EVENT_TIMING = 0,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_MEM_ATTACH_GLOBAL = 1,
    CU_STREAM_BLOCKING = 0,
    CU_CAPTURE_NONE = 0,
    CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1,
    CU_GRAPH_USER_OBJECT_MOVE = 1,
    CU_CAPTURE_MODE_RELAXED = 2
};

/* Attributes of pointers, and types of memory. */
enum {
    CU_POINTER_CONTEXT = 1,
    CU_POINTER_MEMORY_TYPE = 2,
    CU_POINTER_IS_MANAGED = 8,
    CU_POINTER_RANGE_START = 11,
    CU_POINTER_RANGE_SIZE = 12,
    CU_MEMORY_OF_DEVICE = 2
};

/* Handles of the default stream, with which other streams synchronise, and of the thread's default
 * stream. */
#define CU_STREAM_LEGACY ((spmv_cuda_stream)(uintptr_t)1)
#define CU_STREAM_PER_THREAD ((spmv_cuda_stream)(uintptr_t)2)

/* The required functions: name here, name in the library, parameters. */
#define CU_FUNCTIONS(F)                                                                            \
    F(Init, cuInit, (unsigned))                                                                    \
    F(DriverGetVersion, cuDriverGetVersion, (int *))                                               \
    F(DeviceGetCount, cuDeviceGetCount, (int *))                                                   \
    F(DeviceGet, cuDeviceGet, (spmv_cuda_device *, int))                                           \
    F(DeviceGetName, cuDeviceGetName, (char *, int, spmv_cuda_device))                             \
    F(DeviceGetAttribute, cuDeviceGetAttribute, (int *, int, spmv_cuda_device))                    \
    F(CtxPushCurrent, cuCtxPushCurrent_v2, (spmv_cuda_context))                                    \
    F(CtxPopCurrent, cuCtxPopCurrent_v2, (spmv_cuda_context *))                                    \
    F(CtxGetCurrent, cuCtxGetCurrent, (spmv_cuda_context *))                                       \
    F(CtxGetDevice, cuCtxGetDevice, (spmv_cuda_device *))                                          \
    F(CtxSynchronize, cuCtxSynchronize, (void))                                                    \
    F(ModuleLoadDataEx, cuModuleLoadDataEx,                                                        \
      (spmv_cuda_module *, const void *, unsigned, int *, void **))                                \
    F(ModuleUnload, cuModuleUnload, (spmv_cuda_module))                                            \
    F(ModuleGetFunction, cuModuleGetFunction,                                                      \
      (spmv_cuda_function *, spmv_cuda_module, const char *))                                      \
    F(FuncGetAttribute, cuFuncGetAttribute, (int *, int, spmv_cuda_function))                      \
    F(MemAlloc, cuMemAlloc_v2, (spmv_cuda_pointer *, size_t))                                      \
    F(MemFree, cuMemFree_v2, (spmv_cuda_pointer))                                                  \
    F(MemGetAddressRange, cuMemGetAddressRange_v2,                                                 \
      (spmv_cuda_pointer *, size_t *, spmv_cuda_pointer))                                          \
    F(PointerGetAttribute, cuPointerGetAttribute, (void *, int, spmv_cuda_pointer))                \
    F(MemcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                                       \
      (spmv_cuda_pointer, const void *, size_t, spmv_cuda_stream))                                 \
    F(MemcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                                       \
      (void *, spmv_cuda_pointer, size_t, spmv_cuda_stream))                                       \
    F(StreamCreate, cuStreamCreate, (spmv_cuda_stream *, unsigned))                                \
    F(StreamDestroy, cuStreamDestroy_v2, (spmv_cuda_stream))                                       \
    F(StreamSynchronize, cuStreamSynchronize, (spmv_cuda_stream))                                  \
    F(StreamWaitEvent, cuStreamWaitEvent, (spmv_cuda_stream, spmv_cuda_event, unsigned))           \
    F(EventCreate, cuEventCreate, (spmv_cuda_event *, unsigned))                                   \
    F(EventDestroy, cuEventDestroy_v2, (spmv_cuda_event))                                          \
    F(EventRecord, cuEventRecord, (spmv_cuda_event, spmv_cuda_stream))                             \
    F(EventSynchronize, cuEventSynchronize, (spmv_cuda_event))                                     \
    F(EventElapsedTime, cuEventElapsedTime, (float *, spmv_cuda_event, spmv_cuda_event))           \
    F(LaunchKernel, cuLaunchKernel,                                                                \
      (spmv_cuda_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
       spmv_cuda_stream, void **, void **))

/* Functions that are NULL if the driver does not have them. The first two may go some day: only
 * drivers without primary contexts need them. The others came with CUDA 6.0, 6.0, 6.0, 7.0, 7.0,
 * 7.0, 7.0, 11.0, 9.2, 10.0, 11.3, 9.0, 10.1, 11.3, 11.3 and 11.3. */
#define CU_NEWER_FUNCTIONS(F)                                                                      \
    F(CtxCreate, cuCtxCreate_v2, (spmv_cuda_context *, unsigned, spmv_cuda_device))                \
    F(CtxDestroy, cuCtxDestroy_v2, (spmv_cuda_context))                                            \
    F(GetErrorName, cuGetErrorName, (spmv_cuda_result, const char **))                             \
    F(GetErrorString, cuGetErrorString, (spmv_cuda_result, const char **))                         \
    F(MemAllocManaged, cuMemAllocManaged, (spmv_cuda_pointer *, size_t, unsigned))                 \
    F(PointerGetAttributes, cuPointerGetAttributes,                                                \
      (unsigned, int *, void **, spmv_cuda_pointer))                                               \
    F(PrimaryCtxGetState, cuDevicePrimaryCtxGetState, (spmv_cuda_device, unsigned *, int *))       \
    F(PrimaryCtxRetain, cuDevicePrimaryCtxRetain, (spmv_cuda_context *, spmv_cuda_device))         \
    F(PrimaryCtxRelease, cuDevicePrimaryCtxRelease, (spmv_cuda_device))                            \
    F(PrimaryCtxRelease2, cuDevicePrimaryCtxRelease_v2, (spmv_cuda_device))                        \
    F(StreamGetCtx, cuStreamGetCtx, (spmv_cuda_stream, spmv_cuda_context *))                       \
    F(StreamIsCapturing, cuStreamIsCapturing, (spmv_cuda_stream, int *))                           \
    F(StreamGetCaptureInfo, cuStreamGetCaptureInfo_v2,                                             \
      (spmv_cuda_stream, int *, uint64_t *, spmv_cuda_graph *, void *, void *))                    \
    F(FuncSetAttribute, cuFuncSetAttribute, (spmv_cuda_function, int, int))                        \
    F(ThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, (int *))                 \
    F(UserObjectCreate, cuUserObjectCreate,                                                        \
      (spmv_cuda_user_object *, void *, void (*)(void *), unsigned, unsigned))                     \
    F(UserObjectRelease, cuUserObjectRelease, (spmv_cuda_user_object, unsigned))                   \
    F(GraphRetainUserObject, cuGraphRetainUserObject,                                              \
      (spmv_cuda_graph, spmv_cuda_user_object, unsigned, unsigned))

#define CU_MEMBER(name, symbol, parameters) spmv_cuda_result (*name) parameters;

typedef struct spmv_cuda_api {
    void *library;
    CU_FUNCTIONS(CU_MEMBER)
    CU_NEWER_FUNCTIONS(CU_MEMBER)
} spmv_cuda_api;

/* Opens the library: SPMV_CUDA_LIBRARY of the environment, or the system's. */
spmv_status spmv_cuda_api_open(spmv_cuda_api *api, spmv_error *err);
void spmv_cuda_api_close(spmv_cuda_api *api);

/* Returns the status for a failed call, and writes a text: CUDA cannot `what`, and why. */
spmv_status spmv_cuda_failed(const spmv_cuda_api *api, spmv_cuda_result code, const char *what,
                             spmv_error *err);

/* A text for a code, the driver's if it has one. */
enum { CU_ERROR_SIZE = 160 };
const char *spmv_cuda_error_text(const spmv_cuda_api *api, spmv_cuda_result code,
                                 char words[CU_ERROR_SIZE]);

#endif
