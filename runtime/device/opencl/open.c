/* opencl/open.c: see opencl/open.h. Bundles do without this file. */
#include "runtime/device/opencl/open.h"

#include "runtime/base/environment.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/device/driver.h"

/* ---- OpenCL's library ---------------------------------------------------------------------- */

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

/* Opens the library: SPMV_OPENCL_LIBRARY of the environment, or the system's. */
static spmv_status open_api(spmv_opencl_api *api, spmv_error *err)
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

/* ---- finding the device -------------------------------------------------------------------- */

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };

/* Rates a device: 0 unusable or not wanted, GPUs above others. */
static int rating(const spmv_opencl_state *state, spmv_opencl_device device, const char *wanted)
{
    char name[SPMV_DEVICE_NAME_SIZE];

    if (!spmv_opencl_number(state, device, OCL_DEVICE_AVAILABLE, 4) ||
        !spmv_opencl_number(state, device, OCL_DEVICE_COMPILER_AVAILABLE, 4))
        return 0;
    spmv_opencl_text(state, device, OCL_DEVICE_NAME, name);
    if (wanted != NULL && !spmv_text_has(name, wanted))
        return 0;
    return spmv_opencl_number(state, device, OCL_DEVICE_TYPE, 8) & OCL_DEVICE_TYPE_GPU ? 2 : 1;
}

/* Adds the names of the platform's devices to `seen`, and keeps the best device so far. */
static void look_at_platform(spmv_opencl_state *state, spmv_opencl_platform platform,
                             const char *wanted, int *best, spmv_text *seen)
{
    spmv_opencl_device device[MOST_DEVICES];
    spmv_opencl_uint count = 0;

    if (state->api.GetDeviceIDs(platform, OCL_DEVICE_TYPE_ALL, MOST_DEVICES, device, &count) !=
        OCL_SUCCESS)
        return;
    for (spmv_opencl_uint i = 0; i < count && i < MOST_DEVICES; i++) {
        const int now = rating(state, device[i], wanted);
        char name[SPMV_DEVICE_NAME_SIZE];

        spmv_opencl_text(state, device[i], OCL_DEVICE_NAME, name);
        spmv_text_add(seen, "%s'%.60s'", seen->length > 0 ? ", " : "", name);
        if (now > *best) {
            *best = now;
            state->platform = platform;
            state->device = device[i];
        }
    }
}

static spmv_status find_device(spmv_opencl_state *state, const char *wanted, spmv_error *err)
{
    spmv_opencl_platform platform[MOST_PLATFORMS];
    spmv_opencl_uint count = 0;
    char names[256];
    spmv_text seen = spmv_text_begin(names, sizeof names);
    int best = 0;
    const spmv_opencl_int code = state->api.GetPlatformIDs(MOST_PLATFORMS, platform, &count);

    if (code == OCL_PLATFORM_NOT_FOUND || (code == OCL_SUCCESS && count == 0))
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "the OpenCL loader knows no platform; install a "
                              "driver, such as PoCL (Debian: pocl-opencl-icd)");
    if (code != OCL_SUCCESS)
        return spmv_opencl_failed(code, "list its platforms", err);
    for (spmv_opencl_uint i = 0; i < count && i < MOST_PLATFORMS; i++)
        look_at_platform(state, platform[i], wanted, &best, &seen);
    if (best > 0)
        return SPMV_OK;
    if (wanted != NULL)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "no OpenCL device has '%.60s' in its name; there "
                              "is %s",
                              wanted, seen.length > 0 ? names : "none at all");
    return spmv_error_set(err, SPMV_UNSUPPORTED, "no OpenCL device can be used (available, with a "
                          "compiler); there is %s", seen.length > 0 ? names : "none at all");
}

/* Finds a device, and creates a context and a queue. */
static spmv_status make_queue(spmv_opencl_state *state, const char *wanted, spmv_error *err)
{
    spmv_status status = find_device(state, wanted, err);
    spmv_opencl_int code = OCL_SUCCESS;

    if (status != SPMV_OK)
        return status;
    const spmv_opencl_property properties[] = { OCL_CONTEXT_PLATFORM,
                                                (spmv_opencl_property)state->platform, 0 };
    state->context = state->api.CreateContext(properties, 1, &state->device, NULL, NULL, &code);
    if (code != OCL_SUCCESS) {
        state->context = NULL;
        return spmv_opencl_failed(code, "create a context", err);
    }
    state->queue_properties = OCL_QUEUE_PROFILING_ENABLE;
    state->queue = state->api.CreateCommandQueue(state->context, state->device,
                                                 state->queue_properties, &code);
    if (code != OCL_SUCCESS) {
        state->queue = NULL;
        return spmv_opencl_failed(code, "create a queue", err);
    }
    return SPMV_OK;
}

spmv_status spmv_opencl_open(spmv_opencl_state *state, spmv_opencl_queue queue, const char *wanted,
                             spmv_error *err)
{
    const spmv_status status = open_api(&state->api, err);

    if (status != SPMV_OK)
        return status;
    return queue != NULL ? spmv_opencl_take_queue(state, queue, wanted, err)
                         : make_queue(state, wanted, err);
}
