/* cuda/memory.c: see cuda/memory.h. */
#include "runtime/device/cuda/memory.h"

#include "runtime/device/cuda/context.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/environment.h"

#include <stdio.h>
#include <string.h>

/* ---- buffers ------------------------------------------------------------------------------- */

spmv_status spmv_cuda_buffer_make(void *opened, const char *what, size_t bytes, void **buffer,
                                  spmv_error *err)
{
    const spmv_cuda_state *state = opened;
    spmv_cuda_pointer made = 0;
    char doing[96];
    spmv_cuda_result code;

    *buffer = NULL;
    if (bytes == 0)
        return SPMV_OK;
    code = state->api.MemAlloc(&made, bytes);
    if (code == CU_SUCCESS) {
        *buffer = (void *)made;
        return SPMV_OK;
    }
    snprintf(doing, sizeof doing, "allocate %zu bytes for %.40s", bytes, what);
    return spmv_cuda_failed(&state->api, code, doing, err);
}

void spmv_cuda_buffer_free(void *opened, void **buffer)
{
    const spmv_cuda_state *state = opened;

    if (*buffer != NULL)
        state->api.MemFree((spmv_cuda_pointer)*buffer);
    *buffer = NULL;
}

spmv_status spmv_cuda_area_take(spmv_cuda_state *state, const char *what, const void *data,
                                size_t bytes, int must_stay, spmv_area *area, spmv_error *err)
{
    spmv_cuda_found found = { CU_OF_HOST, SIZE_MAX, 0 };
    char doing[96];
    spmv_cuda_result code = CU_SUCCESS;

    if (state->sharing == CU_AT_ANY_TIME)
        code = spmv_cuda_look(state, data, bytes, 0, &found);
    if (code != CU_SUCCESS)
        return spmv_cuda_failed(&state->api, code, "tell whose memory an array is", err);
    if (must_stay && area->shared != NULL && area->shared != data)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "captured graphs read %.40s where they are, in managed memory at %p; "
                              "write new ones there and give that address, or destroy the plan and "
                              "its graphs", what, area->shared);
    if (found.place == CU_MANAGED && found.room >= bytes && !(must_stay && area->buffer != NULL)) {
        spmv_cuda_buffer_free(state, &area->buffer);
        memcpy(&area->shared, &data, sizeof data);     /* kernels only read it */
        return SPMV_OK;
    }
    if (area->buffer == NULL) {
        const spmv_status status = spmv_cuda_buffer_make(state, what, bytes, &area->buffer, err);
        if (status != SPMV_OK)
            return status;
    }
    area->shared = NULL;
    code = state->api.MemcpyHtoDAsync((spmv_cuda_pointer)area->buffer, data, bytes, state->stream);
    if (code == CU_SUCCESS)
        return SPMV_OK;
    snprintf(doing, sizeof doing, "write %zu bytes of %.40s", bytes, what);
    return spmv_cuda_failed(&state->api, code, doing, err);
}

/* ---- pointers of callers ------------------------------------------------------------------- */

/* Bytes from the pointer to the end of the memory, at least until `wanted` is reached. A range that
 * an application maps piece by piece (cuMemMap) is a series of adjacent allocations to the
 * driver. */
static size_t room_at(const spmv_cuda_state *state, spmv_cuda_pointer pointer, size_t wanted)
{
    size_t room = 0;

    do {
        spmv_cuda_pointer base = 0, next = pointer + room;
        size_t bytes = 0;
        if (state->api.MemGetAddressRange(&base, &bytes, next) != CU_SUCCESS || next < base ||
            next - base > bytes)
            return room > 0 ? room : SIZE_MAX;
        if (next - base == bytes)
            break;
        room += bytes - (next - base);
    } while (room < wanted);
    return room;
}

/* Queries the driver about a pointer. */
static spmv_cuda_result ask(const spmv_cuda_state *state, spmv_cuda_pointer pointer, size_t bytes,
                            spmv_cuda_found *found)
{
    const spmv_cuda_api *api = &state->api;
    uint32_t is_managed = 0, type = 0;
    spmv_cuda_context context = NULL;
    spmv_cuda_result code = api->PointerGetAttribute(&type, CU_POINTER_MEMORY_TYPE, pointer);

    if (code != CU_SUCCESS)
        return code;
    if (api->PointerGetAttribute(&is_managed, CU_POINTER_IS_MANAGED, pointer) != CU_SUCCESS)
        is_managed = 0;
    found->place = is_managed                  ? CU_MANAGED
                 : type == CU_MEMORY_OF_DEVICE ? CU_ON_DEVICE
                                               : CU_OF_HOST;
    if (found->place == CU_OF_HOST)
        return CU_SUCCESS;
    found->room = room_at(state, pointer, bytes);
    /* Memory of a pool has no context. */
    if (found->place == CU_ON_DEVICE &&
        api->PointerGetAttribute(&context, CU_POINTER_CONTEXT, pointer) == CU_SUCCESS)
        found->is_foreign = context != NULL && context != state->context;
    return CU_SUCCESS;
}

/* Queries the driver about a pointer by one call. CU_INVALID_VALUE: the driver is too old. */
static spmv_cuda_result ask_at_once(const spmv_cuda_state *state, spmv_cuda_pointer pointer,
                                    size_t bytes, spmv_cuda_found *found)
{
    int what[] = { CU_POINTER_MEMORY_TYPE, CU_POINTER_IS_MANAGED, CU_POINTER_CONTEXT,
                   CU_POINTER_RANGE_START, CU_POINTER_RANGE_SIZE };
    uint32_t type = 0, is_managed = 0;
    spmv_cuda_context context = NULL;
    spmv_cuda_pointer start = 0;
    size_t size = 0;
    void *answer[] = { &type, &is_managed, &context, &start, &size };
    spmv_cuda_result code = CU_INVALID_VALUE;

    if (state->api.PointerGetAttributes != NULL)
        code = state->api.PointerGetAttributes(sizeof what / sizeof what[0], what, answer, pointer);
    if (code != CU_SUCCESS)
        return code;
    /* Of memory that CUDA does not know all answers are 0. */
    found->place = is_managed & 1              ? CU_MANAGED
                 : type == CU_MEMORY_OF_DEVICE ? CU_ON_DEVICE
                                               : CU_OF_HOST;
    if (found->place == CU_OF_HOST)
        return CU_SUCCESS;
    found->room = pointer >= start && pointer - start <= size ? size - (pointer - start) : 0;
    if (found->room < bytes)
        found->room = room_at(state, pointer, bytes);
    found->is_foreign = found->place == CU_ON_DEVICE && context != NULL &&
                        context != state->context;
    return CU_SUCCESS;
}

spmv_cuda_result spmv_cuda_look(spmv_cuda_state *state, const void *pointer, size_t bytes,
                                int is_devices, spmv_cuda_found *found)
{
    const spmv_allocation *own =
        spmv_allocation_registry_find(&state->base.allocations, pointer, 0);
    spmv_cuda_result code;

    *found = (spmv_cuda_found){ CU_OF_HOST, SIZE_MAX, 0 };
    if (own != NULL) {
        found->place = CU_MANAGED;
        found->room = own->bytes - (size_t)((const char *)pointer - own->memory);
        return CU_SUCCESS;
    }
    if (state->has_one_address_space) {
        code = ask_at_once(state, (spmv_cuda_pointer)pointer, bytes, found);
        if (code == CU_INVALID_VALUE)
            code = ask(state, (spmv_cuda_pointer)pointer, bytes, found);
        /* CUDA does not know ordinary host memory. */
        return code == CU_INVALID_VALUE ? CU_SUCCESS : code;
    }
    if (is_devices && (found->room = room_at(state, (spmv_cuda_pointer)pointer, bytes)) != SIZE_MAX)
        found->place = CU_ON_DEVICE;
    return CU_SUCCESS;
}

/* ---- how memory is shared ------------------------------------------------------------------ */

static spmv_cuda_sharing offered(const spmv_cuda_state *state)
{
    if (!state->has_managed || state->api.MemAllocManaged == NULL)
        return CU_SEPARATE;
    return state->has_concurrent_managed ? CU_AT_ANY_TIME : CU_IN_TURNS;
}

spmv_status spmv_cuda_sharing_choose(spmv_cuda_state *state, spmv_error *err)
{
    const char *wanted = spmv_variable("SPMV_MEMORY");
    const spmv_cuda_sharing most = offered(state);

    /* An old discrete card moves managed memory as a whole with every launch. */
    state->sharing = most == CU_IN_TURNS && !state->is_unified ? CU_SEPARATE : most;
    if (wanted == NULL || wanted[0] == '\0')
        return SPMV_OK;
    state->is_sharing_forced = 1;
    if (strcmp(wanted, "separate") == 0) {
        state->sharing = CU_SEPARATE;
        return SPMV_OK;
    }
    if (strcmp(wanted, "unified") != 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "SPMV_MEMORY is '%.32s'; expected separate "
                              "or unified, as CUDA devices share memory",
                              wanted);
    state->sharing = most;
    if (most != CU_SEPARATE)
        return SPMV_OK;
    return spmv_error_set(err, SPMV_UNSUPPORTED,
                          "SPMV_MEMORY is 'unified', but the device '%.60s' has no "
                          "managed memory",
                          state->base.name);
}

int spmv_cuda_shares(const spmv_cuda_state *state, const spmv_module *module)
{
    if (state->sharing == CU_SEPARATE || state->is_sharing_forced)
        return state->sharing != CU_SEPARATE;
    return module != NULL ? module->program->memory != SPMV_MEMORY_DISCRETE : state->is_unified;
}

/* ---- shared memory ------------------------------------------------------------------------- */

spmv_status spmv_cuda_shared_alloc(void *opened, size_t bytes, void **out)
{
    spmv_cuda_state *state = opened;
    spmv_allocation *s = spmv_memory_alloc_zeroed(sizeof *s);
    spmv_cuda_pointer memory = 0;
    spmv_cuda_scope scope;
    spmv_cuda_result code;

    *out = NULL;
    if (s == NULL)
        return SPMV_OUT_OF_MEMORY;
    s->bytes = bytes > 0 ? bytes : 1;
    code = spmv_cuda_enter(state, &scope);
    if (code == CU_SUCCESS)
        code = state->api.MemAllocManaged(&memory, s->bytes, CU_MEM_ATTACH_GLOBAL);
    spmv_cuda_leave(state, &scope);
    if (code != CU_SUCCESS) {
        spmv_memory_free(s);
        return spmv_cuda_failed(&state->api, code, "allocate managed memory", NULL);
    }
    s->memory = (char *)memory;
    spmv_allocation_registry_add(&state->base.allocations, s);
    *out = s->memory;
    return SPMV_OK;
}

int spmv_cuda_shared_free(void *opened, void *memory)
{
    spmv_cuda_state *state = opened;
    spmv_allocation *s = spmv_allocation_registry_remove(&state->base.allocations, memory);
    spmv_cuda_scope scope;

    if (s == NULL)
        return 0;
    if (spmv_cuda_enter(state, &scope) == CU_SUCCESS)
        state->api.MemFree((spmv_cuda_pointer)s->memory);
    spmv_cuda_leave(state, &scope);
    spmv_memory_free(s);
    return 1;
}
