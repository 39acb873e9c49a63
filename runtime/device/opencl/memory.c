/* opencl/memory.c: see opencl/memory.h. */
#include "runtime/device/opencl/memory.h"

#include "runtime/base/error.h"

#include <stdio.h>
#include <string.h>

/* ---- buffers ------------------------------------------------------------------------------- */

spmv_status spmv_opencl_buffer_make(void *opened, const char *what, size_t bytes, void **buffer,
                                    spmv_error *err)
{
    const spmv_opencl_state *state = (const spmv_opencl_state *)opened;
    char doing[96];
    spmv_opencl_int code = OCL_SUCCESS;

    *buffer = NULL;
    if (bytes == 0)
        return SPMV_OK;
    snprintf(doing, sizeof doing, "allocate %zu bytes for %.40s", bytes, what);
    *buffer = state->api.CreateBuffer(state->context, OCL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == OCL_SUCCESS)
        return SPMV_OK;
    *buffer = NULL;
    /* Some drivers allocate more than the limit that they state, so the limit only explains
     * failures. */
    if ((uint64_t)bytes > state->largest_buffer)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "the device '%.60s' cannot %s: its largest "
                              "buffer has %llu", state->base.name, doing,
                              (unsigned long long)state->largest_buffer);
    return spmv_opencl_failed(code, doing, err);
}

void spmv_opencl_buffer_free(void *opened, void **buffer)
{
    const spmv_opencl_state *state = (const spmv_opencl_state *)opened;

    if (*buffer != NULL)
        state->api.ReleaseMemObject((spmv_opencl_memory)*buffer);
    *buffer = NULL;
}

spmv_status spmv_opencl_area_take(spmv_opencl_state *state, const char *what, const void *data,
                                  size_t bytes, spmv_area *area, spmv_error *err)
{
    char doing[96];
    spmv_opencl_int code;

    area->shared = NULL;
    if (bytes == 0)
        return SPMV_OK;
    /* Memory that takes turns cannot be lent for the lifetime of a plan. */
    if (state->sharing >= OCL_FINE && spmv_opencl_is_shared(state, data, bytes)) {
        spmv_opencl_buffer_free(state, &area->buffer);
        memcpy(&area->shared, &data, sizeof data);     /* kernels only read it */
        return SPMV_OK;
    }
    if (area->buffer == NULL) {
        const spmv_status status = spmv_opencl_buffer_make(state, what, bytes, &area->buffer, err);
        if (status != SPMV_OK)
            return status;
    }
    code = state->api.EnqueueWriteBuffer(state->queue, (spmv_opencl_memory)area->buffer, 1, 0,
                                         bytes, data, 0, NULL, NULL);
    snprintf(doing, sizeof doing, "write %zu bytes of %.40s", bytes, what);
    return code == OCL_SUCCESS ? SPMV_OK : spmv_opencl_failed(code, doing, err);
}

/* ---- how memory is shared ------------------------------------------------------------------ */

spmv_opencl_sharing spmv_opencl_offered(const spmv_opencl_state *state)
{
    const spmv_opencl_api *api = &state->api;
    const uint64_t can = state->svm_capabilities;

    if (api->SVMAlloc == NULL || api->SVMFree == NULL || api->EnqueueSVMMap == NULL ||
        api->EnqueueSVMUnmap == NULL || api->SetKernelArgSVMPointer == NULL)
        return OCL_SEPARATE;
    return can & OCL_SVM_FINE_GRAIN_SYSTEM ? OCL_SYSTEM
           : can & OCL_SVM_FINE_GRAIN_BUFFER ? OCL_FINE
           : can & OCL_SVM_COARSE_GRAIN_BUFFER ? OCL_COARSE : OCL_SEPARATE;
}

int spmv_opencl_shares(const spmv_opencl_state *state, const spmv_module *module)
{
    return state->sharing != OCL_SEPARATE &&
           (state->is_sharing_forced || module->program->memory != SPMV_MEMORY_DISCRETE);
}

/* ---- shared memory ------------------------------------------------------------------------- */

spmv_status spmv_opencl_shared_alloc(void *opened, size_t bytes, void **out)
{
    spmv_opencl_state *state = (spmv_opencl_state *)opened;
    const spmv_opencl_bits flags = OCL_MEM_READ_WRITE |
                                   (state->sharing >= OCL_FINE ? OCL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
    spmv_allocation *s;

    *out = NULL;
    /* If all memory is shared, ordinary memory of the host serves. */
    if (state->sharing == OCL_SEPARATE || state->sharing == OCL_SYSTEM)
        return SPMV_OK;
    s = spmv_opencl_turns_create();
    if (s == NULL)
        return SPMV_OUT_OF_MEMORY;
    s->bytes = bytes > 0 ? bytes : 1;
    s->memory = (char *)state->api.SVMAlloc(state->context, flags, s->bytes, SPMV_ALIGNMENT);
    if (s->memory != NULL && !spmv_opencl_turns_begin(state, s)) {
        state->api.SVMFree(state->context, s->memory);
        s->memory = NULL;
    }
    if (s->memory == NULL) {
        spmv_opencl_turns_destroy(s);
        return SPMV_OUT_OF_MEMORY;
    }
    spmv_allocation_registry_add(&state->base.allocations, s);
    *out = s->memory;
    return SPMV_OK;
}

int spmv_opencl_shared_free(void *opened, void *memory)
{
    spmv_opencl_state *state = (spmv_opencl_state *)opened;
    spmv_allocation *s = spmv_allocation_registry_remove(&state->base.allocations, memory);

    if (s == NULL)
        return 0;
    state->api.SVMFree(state->context, s->memory);
    spmv_opencl_turns_destroy(s);
    return 1;
}

int spmv_opencl_is_shared(spmv_opencl_state *state, const void *memory, size_t bytes)
{
    return state->sharing == OCL_SYSTEM ||
           spmv_allocation_registry_find(&state->base.allocations, memory, bytes) != NULL;
}
