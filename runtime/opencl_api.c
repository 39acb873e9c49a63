/* opencl_api.c: see opencl_api.h. */
#define _POSIX_C_SOURCE 200809L
#include "opencl_api.h"

#include "error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)

#include <dlfcn.h>

static const char *const library_names[] = {
    "libOpenCL.so.1", "libOpenCL.so", "/System/Library/Frameworks/OpenCL.framework/OpenCL",
};

/* Drivers start threads and leave exit handlers: what they are in must not go with a device. */
#ifdef RTLD_NODELETE
enum { FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };
#else
enum { FLAGS = RTLD_NOW | RTLD_LOCAL };
#endif

static void *open_library(const char *wanted)
{
    void *library = NULL;

    if (wanted != NULL && wanted[0] != '\0')
        return dlopen(wanted, FLAGS);
    for (size_t i = 0; i < sizeof library_names / sizeof library_names[0] && library == NULL; i++)
        library = dlopen(library_names[i], FLAGS);
    return library;
}

/* POSIX lets a function come as an object pointer; C does not know how to convert it. */
static int find_function(const ocl_api *api, const char *name, void *pointer)
{
    void *symbol = dlsym(api->library, name);

    memcpy(pointer, &symbol, sizeof symbol);
    return symbol != NULL;
}

spmv_status ocl_api_open(ocl_api *api, spmv_error *err)
{
    const char *wanted = getenv("SPMV_OPENCL_LIBRARY");
    const char *missing = NULL;

    *api = (ocl_api){ .library = NULL };
    api->library = open_library(wanted);
    if (api->library == NULL)
        return spmv_error_set(err, SPMV_UNSUPPORTED, "no OpenCL library: %.200s; install an OpenCL "
                              "loader (libOpenCL.so.1) and a driver, such as PoCL", dlerror());
#define FIND(result, name, parameters)                                                             \
    if (missing == NULL && !find_function(api, "cl" #name, &api->name))                            \
        missing = "cl" #name;
    OCL_FUNCTIONS(FIND)
#undef FIND
#define LOOK(result, name, parameters) (void)find_function(api, "cl" #name, &api->name);
    OCL_NEWER_FUNCTIONS(LOOK)
#undef LOOK
    if (missing == NULL)
        return SPMV_OK;
    ocl_api_close(api);
    return spmv_error_set(err, SPMV_UNSUPPORTED, "the OpenCL library has no %s; expected OpenCL 1.2 "
                          "or later", missing);
}

void ocl_api_close(ocl_api *api)
{
    if (api->library != NULL)
        dlclose(api->library);
    *api = (ocl_api){ .library = NULL };
}

#else

spmv_status ocl_api_open(ocl_api *api, spmv_error *err)
{
    *api = (ocl_api){ .library = NULL };
    return spmv_error_set(err, SPMV_UNSUPPORTED, "this system has no dlopen to open OpenCL with");
}

void ocl_api_close(ocl_api *api)
{
    *api = (ocl_api){ .library = NULL };
}

#endif

/* ---- errors -------------------------------------------------------------------------------- */

static const struct {
    ocl_int code;
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

const char *ocl_error_name(ocl_int code, char buffer[32])
{
    for (size_t i = 0; i < sizeof error_names / sizeof error_names[0]; i++)
        if (error_names[i].code == code)
            return error_names[i].name;
    snprintf(buffer, 32, "error %d", (int)code);
    return buffer;
}

spmv_status ocl_failed(ocl_int code, const char *what, spmv_error *err)
{
    const int no_memory = code == OCL_MEM_OBJECT_ALLOCATION_FAILURE ||
                          code == OCL_OUT_OF_RESOURCES || code == OCL_OUT_OF_HOST_MEMORY;
    char buffer[32];

    return spmv_error_set(err, no_memory ? SPMV_OUT_OF_MEMORY : SPMV_DEVICE_FAILED,
                          "OpenCL cannot %s: %s", what, ocl_error_name(code, buffer));
}
