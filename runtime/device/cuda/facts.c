/* cuda/facts.c: see cuda/facts.h. */
#include "runtime/device/cuda/facts.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- facts --------------------------------------------------------------------------------- */

/* Number of work-groups that every device can launch. */
enum { LEAST_LARGEST_GRID = 65535 };

/* Reads an attribute of the device. 0: unknown. */
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
                          char name[SPMV_DEVICE_NAME_SIZE])
{
    char given[SPMV_DEVICE_NAME_SIZE - 32];

    name[0] = '\0';
    if (state->api.DeviceGetName(given, sizeof given, device) != CU_SUCCESS)
        return 0;
    given[sizeof given - 1] = '\0';
    snprintf(name, SPMV_DEVICE_NAME_SIZE, "%s (sm_%d)", given, capability_of(state, device));
    return 1;
}

spmv_status spmv_cuda_read_facts(spmv_cuda_state *state, spmv_error *err)
{
    const spmv_cuda_device device = state->device;

    state->capability = capability_of(state, device);
    if (state->capability == 0 || !spmv_cuda_device_name(state, device, state->base.name) ||
        state->api.DriverGetVersion(&state->driver_version) != CU_SUCCESS)
        return spmv_error_set(err, SPMV_DEVICE_FAILED,
                              "the CUDA driver does not tell what device %d "
                              "is",
                              device);
    state->work_group_size = read_number(state, device, CU_MAX_THREADS_PER_BLOCK);
    state->local_memory = read_number(state, device, CU_MAX_SHARED_MEMORY_PER_BLOCK);
    state->dynamic_memory = state->api.FuncSetAttribute != NULL
                                ? read_number(state, device, CU_MAX_SHARED_MEMORY_ON_REQUEST) : 0;
    if (state->dynamic_memory < state->local_memory)
        state->dynamic_memory = state->local_memory;
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
        char name[SPMV_DEVICE_NAME_SIZE];
        int is_prohibited;

        if (state->api.DeviceGet(device, i) != CU_SUCCESS ||
            !spmv_cuda_device_name(state, *device, name))
            continue;
        is_prohibited = read_number(state, *device, CU_COMPUTE_MODE) == CU_COMPUTE_MODE_PROHIBITED;
        if (!is_prohibited && (wanted == NULL || spmv_text_has(name, wanted)))
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
