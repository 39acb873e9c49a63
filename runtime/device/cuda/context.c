/* cuda/context.c: see cuda/context.h. */
#include "runtime/device/cuda/context.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/device/cuda/facts.h"

#include <string.h>

/* ---- entering ------------------------------------------------------------------------------ */

spmv_cuda_result spmv_cuda_enter(const spmv_cuda_state *state, spmv_cuda_scope *scope)
{
    const spmv_cuda_api *api = &state->api;
    const spmv_cuda_result code = api->CtxPushCurrent(state->context);

    *scope = (spmv_cuda_scope){ .is_entered = code == CU_SUCCESS, .mode = CU_CAPTURE_MODE_RELAXED };
    if (scope->is_entered)
        spmv_cuda_relax(state, scope);
    return code;
}

spmv_cuda_result spmv_cuda_enter_lightly(const spmv_cuda_state *state, spmv_cuda_scope *scope)
{
    spmv_cuda_context current = NULL;
    spmv_cuda_result code;

    *scope = (spmv_cuda_scope){ .mode = CU_CAPTURE_MODE_RELAXED };
    if (state->api.CtxGetCurrent(&current) == CU_SUCCESS && current == state->context)
        return CU_SUCCESS;
    code = state->api.CtxPushCurrent(state->context);
    scope->is_entered = code == CU_SUCCESS;
    return code;
}

void spmv_cuda_relax(const spmv_cuda_state *state, spmv_cuda_scope *scope)
{
    const spmv_cuda_api *api = &state->api;

    if (!scope->is_relaxed && api->ThreadExchangeStreamCaptureMode != NULL)
        scope->is_relaxed = api->ThreadExchangeStreamCaptureMode(&scope->mode) == CU_SUCCESS;
}

void spmv_cuda_leave(const spmv_cuda_state *state, const spmv_cuda_scope *scope)
{
    spmv_cuda_context own = NULL;
    int mode = scope->mode;

    if (scope->is_relaxed)
        state->api.ThreadExchangeStreamCaptureMode(&mode);
    if (scope->is_entered)
        state->api.CtxPopCurrent(&own);
}

spmv_cuda_result spmv_cuda_settle(const spmv_cuda_state *state, spmv_cuda_stream stream)
{
    const spmv_cuda_result code = state->api.StreamSynchronize(stream);

    if (code != CU_SUCCESS)
        state->api.CtxSynchronize();
    return code;
}

spmv_cuda_result spmv_cuda_is_captured(const spmv_cuda_state *state, spmv_cuda_stream stream,
                                       int *is_captured)
{
    int how = CU_CAPTURE_NONE;
    spmv_cuda_result code = CU_SUCCESS;

    if (state->api.StreamIsCapturing != NULL)
        code = state->api.StreamIsCapturing(stream, &how);
    *is_captured = code == CU_SUCCESS && how != CU_CAPTURE_NONE;
    return code;
}

spmv_status spmv_cuda_check_stream(const spmv_cuda_state *state, spmv_error *err)
{
    int is_captured = 0;
    const spmv_cuda_result code = spmv_cuda_is_captured(state, state->stream, &is_captured);

    if (code != CU_SUCCESS)
        return spmv_cuda_failed(&state->api, code, "use the device's stream", err);
    return !is_captured ? SPMV_OK
                        : spmv_error_set(err, SPMV_UNSUPPORTED,
                                         "options.queue of spmv_device_open is "
                                         "being captured; make and update plans before");
}

/* ---- open and close ------------------------------------------------------------------------ */

/* Whether the queue is a stream object, which belongs to a context. */
static int is_object(spmv_cuda_stream queue)
{
    return queue != NULL && queue != CU_STREAM_LEGACY && queue != CU_STREAM_PER_THREAD;
}

/* The context of the caller's queue, else of its thread. NULL: the thread has none. */
static spmv_status find_context(const spmv_cuda_state *state, spmv_cuda_stream queue,
                                spmv_cuda_context *context, spmv_error *err)
{
    const spmv_cuda_api *api = &state->api;
    spmv_cuda_result code;

    *context = NULL;
    if (is_object(queue) && api->StreamGetCtx != NULL) {
        code = api->StreamGetCtx(queue, context);
        return code == CU_SUCCESS ? SPMV_OK : spmv_cuda_failed(api, code, "use options.queue", err);
    }
    code = api->CtxGetCurrent(context);
    if (code != CU_SUCCESS)
        return spmv_cuda_failed(api, code, "tell the thread's context", err);
    if (is_object(queue) && *context == NULL)
        return spmv_error_set(
            err, SPMV_INVALID_ARGUMENT,
            "options.queue is set, but the thread has no "
            "current context, and this driver (before CUDA 9.2) does not tell that "
            "of a stream; make it current");
    return SPMV_OK;
}

static void release_primary(const spmv_cuda_state *state)
{
    if (state->api.PrimaryCtxRelease2 != NULL)
        state->api.PrimaryCtxRelease2(state->device);
    else
        state->api.PrimaryCtxRelease(state->device);
}

static spmv_status device_of(const spmv_cuda_state *state, spmv_cuda_context context,
                             spmv_cuda_device *device, spmv_error *err)
{
    spmv_cuda_context own;
    spmv_cuda_result code = state->api.CtxPushCurrent(context);

    if (code == CU_SUCCESS) {
        code = state->api.CtxGetDevice(device);
        state->api.CtxPopCurrent(&own);
    }
    return code == CU_SUCCESS
             ? SPMV_OK
             : spmv_cuda_failed(&state->api, code, "tell the device of a context", err);
}

/* Whether the context is the device's primary one; if so, it gets a reference. */
static int is_primary(const spmv_cuda_state *state)
{
    const spmv_cuda_api *api = &state->api;
    spmv_cuda_context primary = NULL;
    unsigned flags = 0;
    int is_active = 0;

    /* Without an active one, retaining would create it. */
    if (api->PrimaryCtxGetState == NULL || api->PrimaryCtxRetain == NULL ||
        api->PrimaryCtxRelease == NULL ||
        api->PrimaryCtxGetState(state->device, &flags, &is_active) != CU_SUCCESS || !is_active ||
        api->PrimaryCtxRetain(&primary, state->device) != CU_SUCCESS)
        return 0;
    if (primary == state->context)
        return 1;
    release_primary(state);
    return 0;
}

/* Uses the caller's context, if its device is the wanted one. */
static spmv_status take_context(spmv_cuda_state *state, spmv_cuda_context context,
                                const char *wanted, spmv_cuda_stream queue, spmv_error *err)
{
    char name[SPMV_DEVICE_NAME_SIZE];
    spmv_cuda_device device = 0;
    const spmv_status status = device_of(state, context, &device, err);

    if (status != SPMV_OK)
        return status;
    if (wanted == NULL ||
        (spmv_cuda_device_name(state, device, name) && spmv_text_has(name, wanted))) {
        state->device = device;
        state->context = context;
        state->owner = is_primary(state) ? CU_OF_DEVICE : CU_OF_CALLER;
        return SPMV_OK;
    }
    if (!is_object(queue))
        return SPMV_OK;
    return spmv_error_set(err, SPMV_UNSUPPORTED,
                          "the device of options.queue is '%.60s', which has no "
                          "'%.60s' in its name",
                          name, wanted);
}

/* Uses the device's primary context, or a new one with drivers that have no primary contexts. */
static spmv_status make_context(spmv_cuda_state *state, const char *wanted, spmv_error *err)
{
    const spmv_cuda_api *api = &state->api;
    const int has_primary = api->PrimaryCtxRetain != NULL && api->PrimaryCtxRelease != NULL;
    spmv_cuda_context popped;
    spmv_cuda_result code;
    const spmv_status status = spmv_cuda_device_find(state, wanted, &state->device, err);

    if (status != SPMV_OK)
        return status;
    if (!has_primary && (api->CtxCreate == NULL || api->CtxDestroy == NULL))
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "the CUDA driver has neither cuDevicePrimaryCtxRetain nor "
                              "cuCtxCreate_v2, so libspmv cannot make a context; make one current");
    code = has_primary ? api->PrimaryCtxRetain(&state->context, state->device)
                       : api->CtxCreate(&state->context, 0, state->device);
    if (code != CU_SUCCESS)
        return spmv_cuda_failed(api, code, "create a context", err);
    state->owner = has_primary ? CU_OF_DEVICE : CU_OF_LIBSPMV;
    if (!has_primary)            /* CtxCreate made the context current */
        api->CtxPopCurrent(&popped);
    return SPMV_OK;
}

/* The stream synchronises with the default stream, so that a multiplication sees the results of the
 * caller's CUDA calls there. */
static spmv_status make_stream(spmv_cuda_state *state, spmv_error *err)
{
    spmv_cuda_scope scope;
    spmv_cuda_result code = spmv_cuda_enter(state, &scope);

    if (code == CU_SUCCESS)
        code = state->api.StreamCreate(&state->stream, CU_STREAM_BLOCKING);
    state->owns_stream = code == CU_SUCCESS;
    spmv_cuda_leave(state, &scope);
    return code == CU_SUCCESS ? SPMV_OK
                              : spmv_cuda_failed(&state->api, code, "create a stream", err);
}

spmv_status spmv_cuda_context_open(spmv_cuda_state *state, const char *wanted,
                                   spmv_cuda_stream queue, spmv_error *err)
{
    spmv_cuda_context context;
    spmv_status status = find_context(state, queue, &context, err);

    if (status == SPMV_OK && context != NULL)
        status = take_context(state, context, wanted, queue, err);
    if (status == SPMV_OK && state->owner == CU_OF_NOBODY)
        status = make_context(state, wanted, err);
    state->stream = queue;
    if (status == SPMV_OK && queue == NULL)
        status = make_stream(state, err);
    return status;
}

void spmv_cuda_context_close(spmv_cuda_state *state)
{
    const spmv_cuda_api *api = &state->api;
    spmv_cuda_scope scope;

    if (state->owns_stream) {
        if (spmv_cuda_enter(state, &scope) == CU_SUCCESS)
            api->StreamDestroy(state->stream);
        spmv_cuda_leave(state, &scope);
    }
    if (state->owner == CU_OF_DEVICE)
        release_primary(state);
    else if (state->owner == CU_OF_LIBSPMV && api->CtxDestroy != NULL)
        api->CtxDestroy(state->context);
}
