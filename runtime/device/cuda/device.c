/* cuda/device.c: opening and closing a CUDA device, and which modules it can run. */
#include "runtime/device/cuda/backend.h"

#include "runtime/base/error.h"
#include "runtime/device/cuda/context.h"
#include "runtime/device/cuda/create_plan.h"
#include "runtime/device/cuda/enqueue.h"
#include "runtime/device/cuda/execute.h"
#include "runtime/device/cuda/facts.h"
#include "runtime/device/cuda/memory.h"

/* ---- open and close ------------------------------------------------------------------------ */

static spmv_status start_driver(const spmv_cuda_state *state, spmv_error *err)
{
    const spmv_cuda_result code = state->api.Init(0);
    char words[CU_ERROR_SIZE];

    if (code == CU_SUCCESS)
        return SPMV_OK;
    /* A driver that does not start is reported like a missing driver: there is no device. */
    return spmv_error_set(err, SPMV_UNSUPPORTED, "the CUDA driver has no device: %s; see what "
                          "nvidia-smi says", spmv_cuda_error_text(&state->api, code, words));
}

static spmv_status open_device(void *opened, const char *wanted, void *queue, spmv_error *err)
{
    spmv_cuda_state *state = opened;
    spmv_status status;

    pthread_mutex_init(&state->turn, NULL);
    pthread_mutex_init(&state->captures, NULL);
    pthread_mutex_init(&state->programs_busy, NULL);
    status = spmv_cuda_api_open(&state->api, err);
    if (status == SPMV_OK)
        status = start_driver(state, err);
    if (status == SPMV_OK)
        status = spmv_cuda_context_open(state, wanted, (spmv_cuda_stream)queue, err);
    if (status == SPMV_OK)
        status = spmv_cuda_read_facts(state, err);
    return status == SPMV_OK ? spmv_cuda_sharing_choose(state, err) : status;
}

static void close_device(void *opened)
{
    spmv_cuda_state *state = opened;

    spmv_cuda_context_close(state);
    spmv_cuda_api_close(&state->api);
    pthread_mutex_destroy(&state->programs_busy);
    pthread_mutex_destroy(&state->captures);
    pthread_mutex_destroy(&state->turn);
}

/* ---- memory -------------------------------------------------------------------------------- */

/* The host may build a layout at any time, so layouts cannot be in memory that takes turns. */
static spmv_status alloc_shared(void *opened, const spmv_module *module, size_t bytes, void **out)
{
    spmv_cuda_state *state = (spmv_cuda_state *)opened;

    *out = NULL;
    if (module != NULL && (state->sharing != CU_AT_ANY_TIME || !spmv_cuda_shares(state, module)))
        return SPMV_OK;
    if (module == NULL && !spmv_cuda_shares(state, NULL))
        return SPMV_OK;
    return spmv_cuda_shared_alloc(state, bytes, out);
}

static spmv_status look(void *opened, const void *memory, int *is_hidden, spmv_error *err)
{
    spmv_cuda_state *state = (spmv_cuda_state *)opened;
    spmv_cuda_found found = { CU_OF_HOST, SIZE_MAX, 0 };
    spmv_cuda_scope scope;
    spmv_cuda_result code = spmv_cuda_enter(state, &scope);

    if (code == CU_SUCCESS)
        code = spmv_cuda_look(state, memory, 0, 0, &found);
    spmv_cuda_leave(state, &scope);
    *is_hidden = found.place == CU_ON_DEVICE;
    return code == CU_SUCCESS
             ? SPMV_OK
             : spmv_cuda_failed(&state->api, code, "tell whose memory an array is", err);
}

static spmv_status copy_to_host(const spmv_cuda_state *state, const void *memory, size_t bytes,
                                void *to, spmv_error *err)
{
    spmv_cuda_result code =
        state->api.MemcpyDtoHAsync(to, (spmv_cuda_pointer)memory, bytes, state->stream);
    const spmv_cuda_result settled = spmv_cuda_settle(state, state->stream);

    code = code != CU_SUCCESS ? code : settled;
    return code == CU_SUCCESS ? SPMV_OK
                              : spmv_cuda_failed(&state->api, code, "copy the matrix to the host",
                                                 err);
}

/* The context is current. */
static spmv_status fetch_from(spmv_cuda_state *state, const char *name, const void *memory,
                              size_t bytes, void *to, spmv_error *err)
{
    spmv_cuda_found found;
    const spmv_cuda_result code = spmv_cuda_look(state, memory, bytes, 1, &found);
    spmv_status status;

    if (code != CU_SUCCESS)
        return spmv_cuda_failed(&state->api, code, "tell whose memory an array is", err);
    if (found.is_foreign || found.room < bytes)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "%.32s is at %p, in memory %s; expected memory of the device's "
                              "context, or of the host, of at least %zu bytes", name, memory,
                              found.is_foreign ? "of another context" : "that ends too early",
                              bytes);
    status = spmv_cuda_check_stream(state, err);
    return status == SPMV_OK && bytes > 0 ? copy_to_host(state, memory, bytes, to, err) : status;
}

static spmv_status fetch(void *opened, const char *name, const void *memory, size_t bytes, void *to,
                         spmv_error *err)
{
    spmv_cuda_state *state = (spmv_cuda_state *)opened;
    spmv_cuda_scope scope;
    const spmv_cuda_result code = spmv_cuda_enter(state, &scope);
    const spmv_status status =
        code == CU_SUCCESS ? fetch_from(state, name, memory, bytes, to, err)
                           : spmv_cuda_failed(&state->api, code, "enter its context", err);

    spmv_cuda_leave(state, &scope);
    return status;
}

/* ---- which modules ------------------------------------------------------------------------- */

static int refuses(const void *opened, const spmv_module *module, spmv_text *why)
{
    const spmv_cuda_state *state = (const spmv_cuda_state *)opened;
    const spmv_program *program = module->program;

    if (program->capability > state->capability) {
        spmv_text_add(why, "the device's compute capability is %d.%d, it needs %d.%d",
                      state->capability / 10, state->capability % 10,
                      (int)program->capability / 10, (int)program->capability % 10);
        return 1;
    }
    if (program->extensions != NULL && program->extensions[0] != '\0') {
        spmv_text_add(why, "the device lacks the extension %.60s", program->extensions);
        return 1;
    }
    if (program->subgroup_size > 1 && program->subgroup_size != state->subgroup_size) {
        spmv_text_add(why, "the device has no subgroups of %d work-items",
                      (int)program->subgroup_size);
        return 1;
    }
    return spmv_program_exceeds(program, (uint64_t)state->work_group_size,
                                (uint64_t)state->local_memory, (uint64_t)state->dynamic_memory,
                                why);
}

const spmv_backend spmv_cuda_backend = {
    .language = "cuda",
    .state_bytes = sizeof(spmv_cuda_state),
    .open = open_device,
    .close = close_device,
    .refuses = refuses,
    .alloc = alloc_shared,
    .free = spmv_cuda_shared_free,
    .look = look,
    .fetch = fetch,
    .plan_create = spmv_cuda_plan_create,
    .plan_destroy = spmv_cuda_plan_destroy,
    .take_values = spmv_cuda_plan_take_values,
    .execute = spmv_cuda_plan_execute,
    .enqueue = spmv_cuda_plan_enqueue,
};
