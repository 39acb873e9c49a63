/* opencl/device.c: finding, opening and closing an OpenCL device, and which modules it can run. */
#include "runtime/device/opencl/backend.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/device/opencl/create_plan.h"
#include "runtime/device/opencl/enqueue.h"
#include "runtime/device/opencl/execute.h"
#include "runtime/device/opencl/memory.h"
#include "runtime/device/opencl/open.h"
#include "runtime/device/opencl/subgroups.h"
#include "runtime/device/opencl/turns.h"

#include <string.h>

/* ---- facts --------------------------------------------------------------------------------- */

void spmv_opencl_text(const spmv_opencl_state *state, spmv_opencl_device device,
                      spmv_opencl_uint what, char *text)
{
    /* A text that does not fit is an error and reads as empty; names of drivers are a line at
     * most. */
    if (state->api.GetDeviceInfo(device, what, SPMV_DEVICE_NAME_SIZE, text, NULL) != OCL_SUCCESS)
        text[0] = '\0';
    text[SPMV_DEVICE_NAME_SIZE - 1] = '\0';
}

uint64_t spmv_opencl_number(const spmv_opencl_state *state, spmv_opencl_device device,
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
    spmv_opencl_text(state, state->device, OCL_DEVICE_NAME, state->base.name);
    spmv_opencl_text(state, state->device, OCL_DRIVER_VERSION, state->driver);
    state->work_group_size = (size_t)spmv_opencl_number(state, state->device,
                                                 OCL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    state->local_memory = spmv_opencl_number(state, state->device, OCL_DEVICE_LOCAL_MEM_SIZE, 8);
    state->largest_buffer =
        spmv_opencl_number(state, state->device, OCL_DEVICE_MAX_MEM_ALLOC_SIZE, 8);
    state->has_f64 = spmv_opencl_number(state, state->device, OCL_DEVICE_DOUBLE_FP_CONFIG, 8) != 0;
    state->is_unified =
        spmv_opencl_number(state, state->device, OCL_DEVICE_HOST_UNIFIED_MEMORY, 4) != 0;
    state->svm_capabilities =
        spmv_opencl_number(state, state->device, OCL_DEVICE_SVM_CAPABILITIES, 8);
    if (state->api.GetPlatformInfo(state->platform, OCL_PLATFORM_NAME, SPMV_DEVICE_NAME_SIZE,
                                   state->platform_name, NULL) != OCL_SUCCESS)
        state->platform_name[0] = '\0';
    state->platform_name[SPMV_DEVICE_NAME_SIZE - 1] = '\0';
}

/* ---- open and close ------------------------------------------------------------------------ */

spmv_status spmv_opencl_take_queue(spmv_opencl_state *state, spmv_opencl_queue queue,
                                   const char *wanted, spmv_error *err)
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
        return spmv_opencl_failed(code, "use " SPMV_QUEUE_WORD, err);
    spmv_opencl_text(state, state->device, OCL_DEVICE_NAME, name);
    if (wanted != NULL && !spmv_text_has(name, wanted))
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "the device of " SPMV_QUEUE_WORD " is '%.60s', which "
                              "has no '%.60s' in its name",
                              name, wanted);
    return SPMV_OK;
}

static spmv_status open_device(void *opened, const char *wanted, void *queue, spmv_error *err)
{
    spmv_opencl_state *state = (spmv_opencl_state *)opened;
    const spmv_status status = spmv_opencl_open(state, (spmv_opencl_queue)queue, wanted, err);

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
    spmv_opencl_api_close(&state->api);
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
    .execute = spmv_opencl_plan_execute,
    .enqueue = spmv_opencl_plan_enqueue,
};
