/* cuda/device.c: the device of the CUDA backend: which one, and what it can run. */
#include "runtime/device/cuda/backend.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

/* ---- facts --------------------------------------------------------------------------------- */

/* Work-groups that every device launches. */
enum { LEAST_LARGEST_GRID = 65535 };

/* 0 where the driver does not know it. */
static int read_number(const spmv_cuda_state *state, spmv_cuda_device device, int what)
{
    int number = 0;

    return state->api.DeviceGetAttribute(&number, what, device) == CU_SUCCESS ? number : 0;
}

static int capability_of(const spmv_cuda_state *state, spmv_cuda_device device)
{
    return 10 * read_number(state, device, CU_COMPUTE_CAPABILITY_MAJOR) +
           read_number(state, device, CU_COMPUTE_CAPABILITY_MINOR);
}

int spmv_cuda_device_name(const spmv_cuda_state *state, spmv_cuda_device device,
                          char name[CU_NAME_SIZE])
{
    char given[CU_NAME_SIZE - 32];

    name[0] = '\0';
    if (state->api.DeviceGetName(given, sizeof given, device) != CU_SUCCESS)
        return 0;
    given[sizeof given - 1] = '\0';
    snprintf(name, CU_NAME_SIZE, "%s (sm_%d)", given, capability_of(state, device));
    return 1;
}

static spmv_status read_facts(spmv_cuda_state *state, spmv_error *err)
{
    const spmv_cuda_device device = state->device;

    state->capability = capability_of(state, device);
    if (state->capability == 0 || !spmv_cuda_device_name(state, device, state->name) ||
        state->api.DriverGetVersion(&state->driver_version) != CU_SUCCESS)
        return spmv_error_set(err, SPMV_DEVICE_FAILED,
                              "the CUDA driver does not tell what device %d "
                              "is",
                              device);
    state->work_group_size = read_number(state, device, CU_MAX_THREADS_PER_BLOCK);
    state->local_memory = read_number(state, device, CU_MAX_SHARED_MEMORY_PER_BLOCK);
    state->subgroup_size = read_number(state, device, CU_WARP_SIZE);
    state->largest_grid = read_number(state, device, CU_MAX_GRID_DIM_X);
    if (state->largest_grid == 0)
        state->largest_grid = LEAST_LARGEST_GRID;
    state->has_one_address_space = read_number(state, device, CU_UNIFIED_ADDRESSING) != 0;
    state->has_managed = read_number(state, device, CU_MANAGED_MEMORY) != 0;
    state->has_concurrent_managed = read_number(state, device, CU_CONCURRENT_MANAGED_ACCESS) != 0;
    state->is_unified =
        read_number(state, device, CU_INTEGRATED) != 0 ||
        read_number(state, device, CU_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES) != 0;
    return SPMV_OK;
}

/* ---- finding the device -------------------------------------------------------------------- */

spmv_status spmv_cuda_device_find(const spmv_cuda_state *state, const char *wanted,
                                  spmv_cuda_device *device, spmv_error *err)
{
    char names[512];
    spmv_text seen = spmv_text_begin(names, sizeof names);
    int count = 0;
    const spmv_cuda_result code = state->api.DeviceGetCount(&count);

    if (code != CU_SUCCESS)
        return spmv_cuda_failed(&state->api, code, "count its devices", err);
    for (int i = 0; i < count; i++) {
        char name[CU_NAME_SIZE];
        int is_prohibited;

        if (state->api.DeviceGet(device, i) != CU_SUCCESS ||
            !spmv_cuda_device_name(state, *device, name))
            continue;
        is_prohibited = read_number(state, *device, CU_COMPUTE_MODE) == CU_COMPUTE_MODE_PROHIBITED;
        if (!is_prohibited && (wanted == NULL || strstr(name, wanted) != NULL))
            return SPMV_OK;
        spmv_text_add(&seen, "%s'%.80s'%s", seen.length > 0 ? ", " : "", name,
                      is_prohibited ? " (whose compute mode prohibits it)" : "");
    }
    if (wanted != NULL)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "no CUDA device has '%.60s' in its name; there is "
                              "%s",
                              wanted, seen.length > 0 ? names : "none at all");
    return spmv_error_set(err, SPMV_UNSUPPORTED, "no CUDA device can be used; there is %s",
                          seen.length > 0 ? names : "none at all");
}

/* ---- open and close ------------------------------------------------------------------------ */

static spmv_status start_driver(const spmv_cuda_state *state, spmv_error *err)
{
    const spmv_cuda_result code = state->api.Init(0);
    char words[CU_ERROR_SIZE];

    if (code == CU_SUCCESS)
        return SPMV_OK;
    /* A machine whose driver does not start has no device, as one without a driver has none. */
    return spmv_error_set(err, SPMV_UNSUPPORTED, "the CUDA driver has no device: %s; see what "
                          "nvidia-smi says", spmv_cuda_error_words(&state->api, code, words));
}

static spmv_status open_device(spmv_cuda_state *state, const char *wanted, void *queue,
                               spmv_error *err)
{
    spmv_status status = spmv_cuda_api_open(&state->api, err);

    if (status == SPMV_OK)
        status = start_driver(state, err);
    if (status == SPMV_OK)
        status = spmv_cuda_context_open(state, wanted, (spmv_cuda_stream)queue, err);
    if (status == SPMV_OK)
        status = read_facts(state, err);
    return status == SPMV_OK ? spmv_cuda_sharing_choose(state, err) : status;
}

static void close_device(void *opened)
{
    spmv_cuda_state *state = (spmv_cuda_state *)opened;

    if (state == NULL)
        return;
    while (state->allocations.first != NULL)
        spmv_cuda_shared_free(state, state->allocations.first->memory);
    spmv_cuda_context_close(state);
    spmv_cuda_api_close(&state->api);
    spmv_allocation_registry_end(&state->allocations);
    pthread_mutex_destroy(&state->turn);
    spmv_memory_free(state);
}

static spmv_status open_backend(const char *wanted, void *queue, void **opened, spmv_error *err)
{
    spmv_cuda_state *state = spmv_memory_alloc_zeroed(sizeof *state);
    spmv_status status;

    if (state == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the CUDA device");
    pthread_mutex_init(&state->turn, NULL);
    spmv_allocation_registry_begin(&state->allocations);
    status = open_device(state, wanted, queue, err);
    if (status != SPMV_OK) {
        close_device(state);
        return status;
    }
    *opened = state;
    return SPMV_OK;
}

static const char *device_name(const void *opened)
{
    return ((const spmv_cuda_state *)opened)->name;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* A layout is built by the host at any time: memory that takes turns is none for it. */
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

static int free_shared(void *opened, void *memory)
{
    return spmv_cuda_shared_free((spmv_cuda_state *)opened, memory);
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
                                (uint64_t)state->local_memory, why);
}

const spmv_backend spmv_cuda_backend = {
    .language = "cuda",
    .open = open_backend,
    .close = close_device,
    .name = device_name,
    .refuses = refuses,
    .alloc = alloc_shared,
    .free = free_shared,
    .look = look,
    .plan_create = spmv_cuda_plan_create,
    .plan_destroy = spmv_cuda_plan_destroy,
    .take_values = spmv_cuda_plan_take_values,
    .execute = spmv_cuda_plan_execute,
    .enqueue = spmv_cuda_plan_enqueue,
};
