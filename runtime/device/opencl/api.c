/* opencl/api.c: see opencl/api.h. */
#include "runtime/device/opencl/api.h"

#include "runtime/base/error.h"

#include <stdio.h>

#if SPMV_BUNDLE

#include <string.h>

spmv_opencl_api spmv_opencl_api_linked(void)
{
    spmv_opencl_api api;

    memset(&api, 0, sizeof api);
#define TAKE(result, name, parameters) api.name = cl##name;
    OCL_FUNCTIONS(TAKE)
#ifdef CL_VERSION_2_0
    OCL_SHARING_FUNCTIONS(TAKE)
#endif
#ifdef CL_VERSION_2_1
    OCL_SUBGROUP_FUNCTIONS(TAKE)
#endif
#undef TAKE
    return api;
}

#else

#include "runtime/base/environment.h"
#include "runtime/device/driver.h"

#ifdef __APPLE__
static const char *const library_names[] = {
    "/System/Library/Frameworks/OpenCL.framework/OpenCL", NULL,
};
#define TO_INSTALL ""
#else
static const char *const library_names[] = { "libOpenCL.so.1", "libOpenCL.so", NULL };
#define TO_INSTALL "install an OpenCL loader (Debian: ocl-icd-libopencl1) and a driver, such "     \
                   "as PoCL (Debian: pocl-opencl-icd); "
#endif

spmv_status spmv_opencl_api_open(spmv_opencl_api *api, spmv_error *err)
{
    const char *missing = NULL;

    *api = (spmv_opencl_api){ .library = NULL };
    api->library = spmv_driver_open(spmv_variable("SPMV_OPENCL_LIBRARY"), library_names);
    if (api->library == NULL)
        return spmv_error_set(err, SPMV_UNSUPPORTED, "no OpenCL library: %.200s; " TO_INSTALL
                              "SPMV_OPENCL_LIBRARY names another file", spmv_driver_error());
#define FIND(result, name, parameters)                                                             \
    if (!spmv_driver_find(api->library, "cl" #name, &api->name) && missing == NULL)                \
        missing = "cl" #name;
    OCL_OPENING_FUNCTIONS(FIND)
    OCL_FUNCTIONS(FIND)
#undef FIND
#define LOOK(result, name, parameters)                                                             \
    (void)spmv_driver_find(api->library, "cl" #name, &api->name);
    OCL_SHARING_FUNCTIONS(LOOK)
    OCL_SUBGROUP_FUNCTIONS(LOOK)
#undef LOOK
    if (missing == NULL)
        return SPMV_OK;
    spmv_opencl_api_close(api);
    return spmv_error_set(err, SPMV_UNSUPPORTED,
                          "the OpenCL library has no %s; expected OpenCL 1.2 "
                          "or later",
                          missing);
}

void spmv_opencl_api_close(spmv_opencl_api *api)
{
    spmv_driver_close(api->library);
    *api = (spmv_opencl_api){ .library = NULL };
}

#endif

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
