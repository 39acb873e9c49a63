/* opencl/api.c: see opencl/api.h. */
#include "runtime/device/opencl/api.h"

#include "runtime/base/error.h"

#include <stdio.h>

/* ---- errors -------------------------------------------------------------------------------- */

static const struct {
    spmv_opencl_int code;
    const char *name;
} error_names[] = {
    { -1, "DEVICE_NOT_FOUND" }, { -2, "DEVICE_NOT_AVAILABLE" }, { -3, "COMPILER_NOT_AVAILABLE" },
    { -4, "MEM_OBJECT_ALLOCATION_FAILURE" }, { -5, "OUT_OF_RESOURCES" },
    { -6, "OUT_OF_HOST_MEMORY" }, { -7, "PROFILING_INFO_NOT_AVAILABLE" },
    { -11, "BUILD_PROGRAM_FAILURE" }, { -14, "EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST" },
    { -30, "INVALID_VALUE" }, { -33, "INVALID_DEVICE" }, { -34, "INVALID_CONTEXT" },
    { -36, "INVALID_COMMAND_QUEUE" }, { -38, "INVALID_MEM_OBJECT" }, { -42, "INVALID_BINARY" },
    { -43, "INVALID_BUILD_OPTIONS" }, { -44, "INVALID_PROGRAM" },
    { -45, "INVALID_PROGRAM_EXECUTABLE" }, { -46, "INVALID_KERNEL_NAME" },
    { -48, "INVALID_KERNEL" }, { -49, "INVALID_ARG_INDEX" }, { -50, "INVALID_ARG_VALUE" },
    { -51, "INVALID_ARG_SIZE" }, { -52, "INVALID_KERNEL_ARGS" },
    { -54, "INVALID_WORK_GROUP_SIZE" }, { -61, "INVALID_BUFFER_SIZE" },
    { -63, "INVALID_GLOBAL_WORK_SIZE" }, { -1001, "PLATFORM_NOT_FOUND_KHR" },
    { -9999, "ILLEGAL_READ_OR_WRITE (NVIDIA)" },
};

const char *spmv_opencl_error_name(spmv_opencl_int code, char buffer[32])
{
    for (size_t i = 0; i < sizeof error_names / sizeof error_names[0]; i++)
        if (error_names[i].code == code)
            return error_names[i].name;
    snprintf(buffer, 32, "error %d", (int)code);
    return buffer;
}

spmv_status spmv_opencl_failed(spmv_opencl_int code, const char *what, spmv_error *err)
{
    const int no_memory = code == OCL_MEM_OBJECT_ALLOCATION_FAILURE ||
                          code == OCL_OUT_OF_RESOURCES || code == OCL_OUT_OF_HOST_MEMORY;
    char buffer[32];

    return spmv_error_set(err, no_memory ? SPMV_OUT_OF_MEMORY : SPMV_DEVICE_FAILED,
                          "OpenCL cannot %s: %s", what, spmv_opencl_error_name(code, buffer));
}
