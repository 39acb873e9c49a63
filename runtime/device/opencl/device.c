/* opencl/device.c: finding, opening and closing an OpenCL device, and which modules it can run. */
#include "runtime/device/opencl/backend.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/device/opencl/create_plan.h"
#include "runtime/device/opencl/enqueue.h"
#include "runtime/device/opencl/memory.h"
#include "runtime/device/opencl/subgroups.h"

#if !SPMV_BUNDLE
#include "runtime/device/opencl/execute.h"
#endif

#include <string.h>

/* ---- facts --------------------------------------------------------------------------------- */

static void read_text(const spmv_opencl_state *state, spmv_opencl_device device,
                      spmv_opencl_uint what, char *text)
{
    /* A text that does not fit is an error and reads as empty; names of drivers are a line at
     * most. */
    if (state->api.GetDeviceInfo(device, what, SPMV_DEVICE_NAME_SIZE, text, NULL) != OCL_SUCCESS)
        text[0] = '\0';
    text[SPMV_DEVICE_NAME_SIZE - 1] = '\0';
}

/* Reads a number of `bytes` bytes. 0: unknown. */
static uint64_t read_number(const spmv_opencl_state *state, spmv_opencl_device device,
                            spmv_opencl_uint what, size_t bytes)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    void *number = bytes == sizeof wide ? (void *)&wide : (void *)&narrow;

    if (state->api.GetDeviceInfo(device, what, bytes, number, NULL) != OCL_SUCCESS)
        return 0;
    return bytes == sizeof wide ? wide : narrow;
}

static void read_facts(spmv_opencl_state *state)
{
    read_text(state, state->device, OCL_DEVICE_NAME, state->base.name);
    read_text(state, state->device, OCL_DRIVER_VERSION, state->driver);
    state->work_group_size = (size_t)read_number(state, state->device,
                                                 OCL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    state->local_memory = read_number(state, state->device, OCL_DEVICE_LOCAL_MEM_SIZE, 8);
    state->largest_buffer = read_number(state, state->device, OCL_DEVICE_MAX_MEM_ALLOC_SIZE, 8);
    state->has_f64 = read_number(state, state->device, OCL_DEVICE_DOUBLE_FP_CONFIG, 8) != 0;
    state->is_unified = read_number(state, state->device, OCL_DEVICE_HOST_UNIFIED_MEMORY, 4) != 0;
    state->svm_capabilities = read_number(state, state->device, OCL_DEVICE_SVM_CAPABILITIES, 8);
    if (state->api.GetPlatformInfo(state->platform, OCL_PLATFORM_NAME, SPMV_DEVICE_NAME_SIZE,
                                   state->platform_name, NULL) != OCL_SUCCESS)
        state->platform_name[0] = '\0';
    state->platform_name[SPMV_DEVICE_NAME_SIZE - 1] = '\0';
}

#if !SPMV_BUNDLE

/* ---- finding the device -------------------------------------------------------------------- */

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };

/* Rates a device: 0 unusable or not wanted, GPUs above others. */
static int rating(const spmv_opencl_state *state, spmv_opencl_device device, const char *wanted)
{
    char name[SPMV_DEVICE_NAME_SIZE];

    if (!read_number(state, device, OCL_DEVICE_AVAILABLE, 4) ||
        !read_number(state, device, OCL_DEVICE_COMPILER_AVAILABLE, 4))
        return 0;
    read_text(state, device, OCL_DEVICE_NAME, name);
    if (wanted != NULL && !spmv_text_has(name, wanted))
        return 0;
    return read_number(state, device, OCL_DEVICE_TYPE, 8) & OCL_DEVICE_TYPE_GPU ? 2 : 1;
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

        read_text(state, device[i], OCL_DEVICE_NAME, name);
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

#endif

/* ---- open and close ------------------------------------------------------------------------ */

#if SPMV_BUNDLE
#define QUEUE "queue"
#else
#define QUEUE "options.queue"
#endif

/* Uses the caller's queue, with its context and device. */
static spmv_status take_queue(spmv_opencl_state *state, spmv_opencl_queue queue, const char *wanted,
                              spmv_error *err)
{
    const spmv_opencl_api *api = &state->api;
    char name[SPMV_DEVICE_NAME_SIZE];
    spmv_opencl_context context = NULL;
    spmv_opencl_int code =
        api->GetCommandQueueInfo(queue, OCL_QUEUE_CONTEXT, sizeof context, &context, NULL);

    if (code == OCL_SUCCESS)
        code = api->GetCommandQueueInfo(queue, OCL_QUEUE_DEVICE, sizeof state->device,
                                        &state->device, NULL);
    if (code == OCL_SUCCESS)
        code = api->GetCommandQueueInfo(queue, OCL_QUEUE_PROPERTIES, sizeof state->queue_properties,
                                        &state->queue_properties, NULL);
    if (code == OCL_SUCCESS)
        code = api->GetDeviceInfo(state->device, OCL_DEVICE_PLATFORM, sizeof state->platform,
                                  &state->platform, NULL);
    if (code == OCL_SUCCESS && (code = api->RetainContext(context)) == OCL_SUCCESS)
        state->context = context;
    if (code == OCL_SUCCESS && (code = api->RetainCommandQueue(queue)) == OCL_SUCCESS)
        state->queue = queue;
    if (code != OCL_SUCCESS)
        return spmv_opencl_failed(code, "use " QUEUE, err);
    read_text(state, state->device, OCL_DEVICE_NAME, name);
    if (wanted != NULL && !spmv_text_has(name, wanted))
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "the device of " QUEUE " is '%.60s', which "
                              "has no '%.60s' in its name",
                              name, wanted);
    return SPMV_OK;
}

static spmv_status open_device(void *opened, const char *wanted, void *queue, spmv_error *err)
{
    spmv_opencl_state *state = (spmv_opencl_state *)opened;
#if SPMV_BUNDLE
    spmv_status status;

    state->api = spmv_opencl_api_linked();
    status = take_queue(state, (spmv_opencl_queue)queue, wanted, err);
#else
    spmv_status status = spmv_opencl_api_open(&state->api, err);

    if (status == SPMV_OK)
        status = queue != NULL ? take_queue(state, (spmv_opencl_queue)queue, wanted, err)
                               : make_queue(state, wanted, err);
#endif
    if (status != SPMV_OK)
        return status;
    read_facts(state);
    return spmv_opencl_sharing_choose(state, err);
}

static void close_device(void *opened)
{
    spmv_opencl_state *state = (spmv_opencl_state *)opened;

    if (state->queue != NULL)
        state->api.ReleaseCommandQueue(state->queue);
    if (state->context != NULL)
        state->api.ReleaseContext(state->context);
#if !SPMV_BUNDLE
    spmv_opencl_api_close(&state->api);
#endif
}

/* ---- memory -------------------------------------------------------------------------------- */

/* The host may build a layout at any time, so layouts cannot be in memory that takes turns. */
static spmv_status alloc_shared(void *opened, const spmv_module *module, size_t bytes, void **out)
{
    spmv_opencl_state *state = (spmv_opencl_state *)opened;

    *out = NULL;
    if (module != NULL && (state->sharing < OCL_FINE || !spmv_opencl_shares(state, module)))
        return SPMV_OK;
    return spmv_opencl_shared_alloc(state, bytes, out);
}

/* ---- which modules ------------------------------------------------------------------------- */

static int refuses(const void *opened, const spmv_module *module, spmv_text *why)
{
    const spmv_opencl_state *state = (const spmv_opencl_state *)opened;
    const spmv_program *program = module->program;

    if (module->value_type == SPMV_F64 && !state->has_f64) {
        spmv_text_add(why, "the device has no f64");
        return 1;
    }
    return spmv_program_exceeds(program, state->work_group_size, state->local_memory, 0, why) ||
           spmv_opencl_lacks_needed(state, program, why);
}

const spmv_backend spmv_opencl_backend = {
    .language = "opencl",
    .state_bytes = sizeof(spmv_opencl_state),
    .open = open_device,
    .close = close_device,
    .refuses = refuses,
    .alloc = alloc_shared,
    .free = spmv_opencl_shared_free,
    .look = NULL,
    .fetch = NULL,
    .plan_create = spmv_opencl_plan_create,
    .plan_destroy = spmv_opencl_plan_destroy,
    .take_values = spmv_opencl_plan_take_values,
#if !SPMV_BUNDLE
    .execute = spmv_opencl_plan_execute,
#else
    .execute = NULL,
#endif
    .enqueue = spmv_opencl_plan_enqueue,
};
