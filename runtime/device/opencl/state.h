/* opencl/state.h: an open OpenCL device: one context and one queue. The queue is the backend's own,
 * which is in order, or the caller's, which may be out of order. Calls may run concurrently. */
#ifndef SPMV_OPENCL_STATE_H
#define SPMV_OPENCL_STATE_H

#include "runtime/device/backend.h"
#include "runtime/device/opencl/api.h"

/* How memory is shared with the host: opencl/memory.h. */
typedef enum spmv_opencl_sharing { OCL_SEPARATE, OCL_COARSE, OCL_FINE, OCL_SYSTEM }
    spmv_opencl_sharing;

typedef struct spmv_opencl_state {
    spmv_backend_state base;
    spmv_opencl_api api;
    spmv_opencl_platform platform;
    spmv_opencl_device device;
    spmv_opencl_context context;
    spmv_opencl_queue queue;
    spmv_opencl_bits queue_properties;           /* OCL_QUEUE_... */
    spmv_opencl_sharing sharing;
    int is_sharing_forced;                       /* by SPMV_MEMORY, which overrides the targets */
    char platform_name[SPMV_DEVICE_NAME_SIZE];
    char driver[SPMV_DEVICE_NAME_SIZE];          /* its version */
    size_t work_group_size;                      /* the most work-items of a work-group */
    uint64_t local_memory;                       /* bytes that a work-group may have */
    uint64_t largest_buffer;                     /* bytes */
    uint64_t svm_capabilities;                   /* OCL_SVM_... */
    int32_t has_f64;
    int32_t is_unified;                          /* host and device have one memory */
} spmv_opencl_state;

#endif
