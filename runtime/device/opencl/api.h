/* opencl/api.h: declarations of OpenCL 1.2 and, optionally, of 2.0 and 2.1 (Khronos, "The OpenCL
 * Specification"), so that the library builds without OpenCL's headers. OpenCL's library is loaded
 * when a device is opened.
 *
 * Bundles use the headers, which they include before, and the library of the caller's SDK.
 */
#ifndef SPMV_OPENCL_API_H
#define SPMV_OPENCL_API_H

#include "runtime/spmv.h"

#include <stddef.h>
#include <stdint.h>

#if SPMV_BUNDLE

typedef cl_int spmv_opencl_int;
typedef cl_uint spmv_opencl_uint;
typedef cl_bitfield spmv_opencl_bits;
typedef cl_platform_id spmv_opencl_platform;
typedef cl_device_id spmv_opencl_device;
typedef cl_context spmv_opencl_context;
typedef cl_command_queue spmv_opencl_queue;
typedef cl_program spmv_opencl_program;
typedef cl_kernel spmv_opencl_kernel;
typedef cl_mem spmv_opencl_memory;
typedef cl_event spmv_opencl_event;

#else

typedef int32_t spmv_opencl_int;
typedef uint32_t spmv_opencl_uint;
typedef uint64_t spmv_opencl_bits;
typedef intptr_t spmv_opencl_property;
typedef struct spmv_opencl_platform_object *spmv_opencl_platform;
typedef struct spmv_opencl_device_object *spmv_opencl_device;
typedef struct spmv_opencl_context_object *spmv_opencl_context;
typedef struct spmv_opencl_queue_object *spmv_opencl_queue;
typedef struct spmv_opencl_program_object *spmv_opencl_program;
typedef struct spmv_opencl_kernel_object *spmv_opencl_kernel;
typedef struct spmv_opencl_memory_object *spmv_opencl_memory;
typedef struct spmv_opencl_event_object *spmv_opencl_event;

#endif

enum {
    OCL_SUCCESS = 0,
    OCL_DEVICE_NOT_FOUND = -1,
    OCL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    OCL_OUT_OF_RESOURCES = -5,
    OCL_OUT_OF_HOST_MEMORY = -6,
    OCL_BUILD_PROGRAM_FAILURE = -11,
    OCL_PLATFORM_NOT_FOUND = -1001       /* cl_khr_icd */
};

enum {
    OCL_PLATFORM_NAME = 0x0902,
    OCL_PLATFORM_VERSION = 0x0901,
    OCL_DEVICE_TYPE = 0x1000,
    OCL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    OCL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    OCL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    OCL_DEVICE_AVAILABLE = 0x1027,
    OCL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    OCL_DEVICE_NAME = 0x102b,
    OCL_DRIVER_VERSION = 0x102d,
    OCL_DEVICE_VERSION = 0x102f,
    OCL_DEVICE_EXTENSIONS = 0x1030,
    OCL_DEVICE_PLATFORM = 0x1031,
    OCL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    OCL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
    OCL_DEVICE_SVM_CAPABILITIES = 0x1053,
    OCL_CONTEXT_PLATFORM = 0x1084,
    OCL_QUEUE_CONTEXT = 0x1090,
    OCL_QUEUE_DEVICE = 0x1091,
    OCL_QUEUE_PROPERTIES = 0x1093,
    OCL_MEM_SIZE = 0x1102,
    OCL_MEM_CONTEXT = 0x1106,
    OCL_PROGRAM_BINARY_SIZES = 0x1165,
    OCL_PROGRAM_BINARIES = 0x1166,
    OCL_PROGRAM_BUILD_LOG = 0x1183,
    OCL_EVENT_COMMAND_EXECUTION_STATUS = 0x11d3,
    OCL_PROFILING_COMMAND_START = 0x1282,
    OCL_PROFILING_COMMAND_END = 0x1283,
    OCL_KERNEL_MAX_SUB_GROUP_SIZE = 0x2033,  /* 2.1: ..._FOR_NDRANGE */
    OCL_DEVICE_SUB_GROUP_SIZES = 0x4108      /* cl_intel_required_subgroup_size */
};

#define OCL_DEVICE_TYPE_GPU ((spmv_opencl_bits)1 << 2)
#define OCL_DEVICE_TYPE_ALL ((spmv_opencl_bits)0xffffffff)
#define OCL_QUEUE_OUT_OF_ORDER ((spmv_opencl_bits)1 << 0)
#define OCL_QUEUE_PROFILING_ENABLE ((spmv_opencl_bits)1 << 1)
#define OCL_SVM_COARSE_GRAIN_BUFFER ((spmv_opencl_bits)1 << 0)
#define OCL_SVM_FINE_GRAIN_BUFFER ((spmv_opencl_bits)1 << 1)
#define OCL_SVM_FINE_GRAIN_SYSTEM ((spmv_opencl_bits)1 << 2)
#define OCL_MEM_SVM_FINE_GRAIN_BUFFER ((spmv_opencl_bits)1 << 10)
#define OCL_MAP_READ ((spmv_opencl_bits)1 << 0)
#define OCL_MAP_WRITE ((spmv_opencl_bits)1 << 1)
#define OCL_MEM_READ_WRITE ((spmv_opencl_bits)1 << 0)
#define OCL_MEM_READ_ONLY ((spmv_opencl_bits)1 << 2)

/* The required functions: result, name without "cl", parameters. */
#define OCL_FUNCTIONS(F)                                                                           \
    F(spmv_opencl_int, GetPlatformInfo,                                                            \
      (spmv_opencl_platform, spmv_opencl_uint, size_t, void *, size_t *))                          \
    F(spmv_opencl_int, GetDeviceInfo,                                                              \
      (spmv_opencl_device, spmv_opencl_uint, size_t, void *, size_t *))                            \
    F(spmv_opencl_int, RetainContext, (spmv_opencl_context))                                       \
    F(spmv_opencl_int, ReleaseContext, (spmv_opencl_context))                                      \
    F(spmv_opencl_int, RetainCommandQueue, (spmv_opencl_queue))                                    \
    F(spmv_opencl_int, ReleaseCommandQueue, (spmv_opencl_queue))                                   \
    F(spmv_opencl_int, GetCommandQueueInfo,                                                        \
      (spmv_opencl_queue, spmv_opencl_uint, size_t, void *, size_t *))                             \
    F(spmv_opencl_program, CreateProgramWithSource,                                                \
      (spmv_opencl_context, spmv_opencl_uint, const char **, const size_t *, spmv_opencl_int *))   \
    F(spmv_opencl_int, BuildProgram,                                                               \
      (spmv_opencl_program, spmv_opencl_uint, const spmv_opencl_device *, const char *,            \
       void (*)(spmv_opencl_program, void *), void *))                                             \
    F(spmv_opencl_int, GetProgramBuildInfo,                                                        \
      (spmv_opencl_program, spmv_opencl_device, spmv_opencl_uint, size_t, void *, size_t *))       \
    F(spmv_opencl_int, ReleaseProgram, (spmv_opencl_program))                                      \
    F(spmv_opencl_kernel, CreateKernel, (spmv_opencl_program, const char *, spmv_opencl_int *))    \
    F(spmv_opencl_int, SetKernelArg, (spmv_opencl_kernel, spmv_opencl_uint, size_t, const void *)) \
    F(spmv_opencl_int, ReleaseKernel, (spmv_opencl_kernel))                                        \
    F(spmv_opencl_memory, CreateBuffer,                                                            \
      (spmv_opencl_context, spmv_opencl_bits, size_t, void *, spmv_opencl_int *))                  \
    F(spmv_opencl_int, GetMemObjectInfo,                                                           \
      (spmv_opencl_memory, spmv_opencl_uint, size_t, void *, size_t *))                            \
    F(spmv_opencl_int, ReleaseMemObject, (spmv_opencl_memory))                                     \
    F(spmv_opencl_int, EnqueueReadBuffer,                                                          \
      (spmv_opencl_queue, spmv_opencl_memory, spmv_opencl_uint, size_t, size_t, void *,            \
       spmv_opencl_uint, const spmv_opencl_event *, spmv_opencl_event *))                          \
    F(spmv_opencl_int, EnqueueWriteBuffer,                                                         \
      (spmv_opencl_queue, spmv_opencl_memory, spmv_opencl_uint, size_t, size_t, const void *,      \
       spmv_opencl_uint, const spmv_opencl_event *, spmv_opencl_event *))                          \
    F(spmv_opencl_int, EnqueueNDRangeKernel,                                                       \
      (spmv_opencl_queue, spmv_opencl_kernel, spmv_opencl_uint, const size_t *, const size_t *,    \
       const size_t *, spmv_opencl_uint, const spmv_opencl_event *, spmv_opencl_event *))          \
    F(spmv_opencl_int, EnqueueMarkerWithWaitList,                                                  \
      (spmv_opencl_queue, spmv_opencl_uint, const spmv_opencl_event *, spmv_opencl_event *))       \
    F(spmv_opencl_int, WaitForEvents, (spmv_opencl_uint, const spmv_opencl_event *))               \
    F(spmv_opencl_int, GetEventInfo,                                                               \
      (spmv_opencl_event, spmv_opencl_uint, size_t, void *, size_t *))                             \
    F(spmv_opencl_int, GetEventProfilingInfo,                                                      \
      (spmv_opencl_event, spmv_opencl_uint, size_t, void *, size_t *))                             \
    F(spmv_opencl_int, RetainEvent, (spmv_opencl_event))                                           \
    F(spmv_opencl_int, ReleaseEvent, (spmv_opencl_event))                                          \
    F(spmv_opencl_int, Flush, (spmv_opencl_queue))                                                 \
    F(spmv_opencl_int, Finish, (spmv_opencl_queue))

/* Required functions for devices that the library opens and for its cache of programs. */
#define OCL_OPENING_FUNCTIONS(F)                                                                   \
    F(spmv_opencl_int, GetPlatformIDs,                                                             \
      (spmv_opencl_uint, spmv_opencl_platform *, spmv_opencl_uint *))                              \
    F(spmv_opencl_int, GetDeviceIDs,                                                               \
      (spmv_opencl_platform, spmv_opencl_bits, spmv_opencl_uint, spmv_opencl_device *,             \
       spmv_opencl_uint *))                                                                        \
    F(spmv_opencl_context, CreateContext,                                                          \
      (const spmv_opencl_property *, spmv_opencl_uint, const spmv_opencl_device *,                 \
       void (*)(const char *, const void *, size_t, void *), void *, spmv_opencl_int *))           \
    F(spmv_opencl_queue, CreateCommandQueue,                                                       \
      (spmv_opencl_context, spmv_opencl_device, spmv_opencl_bits, spmv_opencl_int *))              \
    F(spmv_opencl_program, CreateProgramWithBinary,                                                \
      (spmv_opencl_context, spmv_opencl_uint, const spmv_opencl_device *, const size_t *,          \
       const unsigned char **, spmv_opencl_int *, spmv_opencl_int *))                              \
    F(spmv_opencl_int, GetProgramInfo,                                                             \
      (spmv_opencl_program, spmv_opencl_uint, size_t, void *, size_t *))

/* Functions that are NULL if OpenCL is older than 2.0, */
#define OCL_SHARING_FUNCTIONS(F)                                                                   \
    F(void *, SVMAlloc, (spmv_opencl_context, spmv_opencl_bits, size_t, spmv_opencl_uint))         \
    F(void, SVMFree, (spmv_opencl_context, void *))                                                \
    F(spmv_opencl_int, EnqueueSVMMap,                                                              \
      (spmv_opencl_queue, spmv_opencl_uint, spmv_opencl_bits, void *, size_t, spmv_opencl_uint,    \
       const spmv_opencl_event *, spmv_opencl_event *))                                            \
    F(spmv_opencl_int, EnqueueSVMUnmap,                                                            \
      (spmv_opencl_queue, void *, spmv_opencl_uint, const spmv_opencl_event *,                     \
       spmv_opencl_event *))                                                                       \
    F(spmv_opencl_int, SetKernelArgSVMPointer,                                                     \
      (spmv_opencl_kernel, spmv_opencl_uint, const void *))

/* and than 2.1. */
#define OCL_SUBGROUP_FUNCTIONS(F)                                                                  \
    F(spmv_opencl_int, GetKernelSubGroupInfo,                                                      \
      (spmv_opencl_kernel, spmv_opencl_device, spmv_opencl_uint, size_t, const void *, size_t,     \
       void *, size_t *))

#define OCL_MEMBER(result, name, parameters) result (*name) parameters;

typedef struct spmv_opencl_api {
#if !SPMV_BUNDLE
    void *library;
    OCL_OPENING_FUNCTIONS(OCL_MEMBER)
#endif
    OCL_FUNCTIONS(OCL_MEMBER)
    OCL_SHARING_FUNCTIONS(OCL_MEMBER)
    OCL_SUBGROUP_FUNCTIONS(OCL_MEMBER)
} spmv_opencl_api;

/* The name of an error code without "CL_"; "error N" for an unknown code. */
const char *spmv_opencl_error_name(spmv_opencl_int code, char buffer[32]);

/* Returns the status for a failed call, and writes a text: OpenCL cannot `what`, and why. */
spmv_status spmv_opencl_failed(spmv_opencl_int code, const char *what, spmv_error *err);

#endif
