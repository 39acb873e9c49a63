/* opencl/api.h: what the OpenCL backend uses of OpenCL 1.2 and, where they are there, of 2.0 and 2.1
 * (Khronos, "The OpenCL Specification"), declared here, so that nothing of OpenCL is needed to build. The
 * library is opened when a device is.
 */
#ifndef SPMV_OPENCL_API_H
#define SPMV_OPENCL_API_H

#include "runtime/spmv.h"

#include <stddef.h>
#include <stdint.h>

typedef int32_t ocl_int;
typedef uint32_t ocl_uint;
typedef uint64_t ocl_bits;
typedef intptr_t ocl_property;
typedef struct ocl_platform_object *ocl_platform;
typedef struct ocl_device_object *ocl_device;
typedef struct ocl_context_object *ocl_context;
typedef struct ocl_queue_object *ocl_queue;
typedef struct ocl_program_object *ocl_program;
typedef struct ocl_kernel_object *ocl_kernel;
typedef struct ocl_memory_object *ocl_memory;
typedef struct ocl_event_object *ocl_event;

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

#define OCL_DEVICE_TYPE_GPU ((ocl_bits)1 << 2)
#define OCL_DEVICE_TYPE_ALL ((ocl_bits)0xffffffff)
#define OCL_QUEUE_OUT_OF_ORDER ((ocl_bits)1 << 0)
#define OCL_QUEUE_PROFILING_ENABLE ((ocl_bits)1 << 1)
#define OCL_SVM_COARSE_GRAIN_BUFFER ((ocl_bits)1 << 0)
#define OCL_SVM_FINE_GRAIN_BUFFER ((ocl_bits)1 << 1)
#define OCL_SVM_FINE_GRAIN_SYSTEM ((ocl_bits)1 << 2)
#define OCL_MEM_SVM_FINE_GRAIN_BUFFER ((ocl_bits)1 << 10)
#define OCL_MAP_READ ((ocl_bits)1 << 0)
#define OCL_MAP_WRITE ((ocl_bits)1 << 1)
#define OCL_MEM_READ_WRITE ((ocl_bits)1 << 0)
#define OCL_MEM_READ_ONLY ((ocl_bits)1 << 2)

/* Every function that is needed: result, name without "cl", parameters. */
#define OCL_FUNCTIONS(F)                                                                           \
    F(ocl_int, GetPlatformIDs, (ocl_uint, ocl_platform *, ocl_uint *))                             \
    F(ocl_int, GetPlatformInfo, (ocl_platform, ocl_uint, size_t, void *, size_t *))                \
    F(ocl_int, GetDeviceIDs, (ocl_platform, ocl_bits, ocl_uint, ocl_device *, ocl_uint *))         \
    F(ocl_int, GetDeviceInfo, (ocl_device, ocl_uint, size_t, void *, size_t *))                    \
    F(ocl_context, CreateContext, (const ocl_property *, ocl_uint, const ocl_device *,             \
                                   void (*)(const char *, const void *, size_t, void *), void *,   \
                                   ocl_int *))                                                     \
    F(ocl_int, RetainContext, (ocl_context))                                                       \
    F(ocl_int, ReleaseContext, (ocl_context))                                                      \
    F(ocl_queue, CreateCommandQueue, (ocl_context, ocl_device, ocl_bits, ocl_int *))               \
    F(ocl_int, RetainCommandQueue, (ocl_queue))                                                    \
    F(ocl_int, ReleaseCommandQueue, (ocl_queue))                                                   \
    F(ocl_int, GetCommandQueueInfo, (ocl_queue, ocl_uint, size_t, void *, size_t *))               \
    F(ocl_program, CreateProgramWithSource, (ocl_context, ocl_uint, const char **, const size_t *, \
                                             ocl_int *))                                           \
    F(ocl_program, CreateProgramWithBinary, (ocl_context, ocl_uint, const ocl_device *,            \
                                             const size_t *, const unsigned char **, ocl_int *,    \
                                             ocl_int *))                                           \
    F(ocl_int, GetProgramInfo, (ocl_program, ocl_uint, size_t, void *, size_t *))                  \
    F(ocl_int, BuildProgram, (ocl_program, ocl_uint, const ocl_device *, const char *,             \
                              void (*)(ocl_program, void *), void *))                              \
    F(ocl_int, GetProgramBuildInfo, (ocl_program, ocl_device, ocl_uint, size_t, void *, size_t *)) \
    F(ocl_int, ReleaseProgram, (ocl_program))                                                      \
    F(ocl_kernel, CreateKernel, (ocl_program, const char *, ocl_int *))                            \
    F(ocl_int, SetKernelArg, (ocl_kernel, ocl_uint, size_t, const void *))                         \
    F(ocl_int, ReleaseKernel, (ocl_kernel))                                                        \
    F(ocl_memory, CreateBuffer, (ocl_context, ocl_bits, size_t, void *, ocl_int *))                \
    F(ocl_int, GetMemObjectInfo, (ocl_memory, ocl_uint, size_t, void *, size_t *))                 \
    F(ocl_int, ReleaseMemObject, (ocl_memory))                                                     \
    F(ocl_int, EnqueueReadBuffer, (ocl_queue, ocl_memory, ocl_uint, size_t, size_t, void *,        \
                                   ocl_uint, const ocl_event *, ocl_event *))                      \
    F(ocl_int, EnqueueWriteBuffer, (ocl_queue, ocl_memory, ocl_uint, size_t, size_t, const void *, \
                                    ocl_uint, const ocl_event *, ocl_event *))                     \
    F(ocl_int, EnqueueNDRangeKernel, (ocl_queue, ocl_kernel, ocl_uint, const size_t *,             \
                                      const size_t *, const size_t *, ocl_uint, const ocl_event *, \
                                      ocl_event *))                                                \
    F(ocl_int, EnqueueMarkerWithWaitList, (ocl_queue, ocl_uint, const ocl_event *, ocl_event *))   \
    F(ocl_int, WaitForEvents, (ocl_uint, const ocl_event *))                                       \
    F(ocl_int, GetEventInfo, (ocl_event, ocl_uint, size_t, void *, size_t *))                      \
    F(ocl_int, GetEventProfilingInfo, (ocl_event, ocl_uint, size_t, void *, size_t *))             \
    F(ocl_int, RetainEvent, (ocl_event))                                                           \
    F(ocl_int, ReleaseEvent, (ocl_event))                                                          \
    F(ocl_int, Flush, (ocl_queue))                                                                 \
    F(ocl_int, Finish, (ocl_queue))

/* Those that are NULL where the library is older than OpenCL 2.1. */
#define OCL_NEWER_FUNCTIONS(F)                                                                     \
    F(void *, SVMAlloc, (ocl_context, ocl_bits, size_t, ocl_uint))                                 \
    F(void, SVMFree, (ocl_context, void *))                                                        \
    F(ocl_int, EnqueueSVMMap, (ocl_queue, ocl_uint, ocl_bits, void *, size_t, ocl_uint,            \
                               const ocl_event *, ocl_event *))                                    \
    F(ocl_int, EnqueueSVMUnmap, (ocl_queue, void *, ocl_uint, const ocl_event *, ocl_event *))     \
    F(ocl_int, SetKernelArgSVMPointer, (ocl_kernel, ocl_uint, const void *))                       \
    F(ocl_int, GetKernelSubGroupInfo, (ocl_kernel, ocl_device, ocl_uint, size_t, const void *,     \
                                       size_t, void *, size_t *))

#define OCL_MEMBER(result, name, parameters) result (*name) parameters;

typedef struct ocl_api {
    void *library;
    OCL_FUNCTIONS(OCL_MEMBER)
    OCL_NEWER_FUNCTIONS(OCL_MEMBER)
} ocl_api;

/* Opens the library: SPMV_OPENCL_LIBRARY of the environment, or the system's. */
spmv_status ocl_api_open(ocl_api *api, spmv_error *err);
void ocl_api_close(ocl_api *api);

/* What an error code means, as OpenCL names it without "CL_"; "error N" for others. */
const char *ocl_error_name(ocl_int code, char buffer[32]);

/* The status that a failed call of OpenCL comes to, and a text: `what` could not be done, why. */
spmv_status ocl_failed(ocl_int code, const char *what, spmv_error *err);

#endif
