/* opencl/memory.c: see opencl/memory.h. */
#include "runtime/device/opencl/memory.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#if !SPMV_BUNDLE
#include "runtime/base/environment.h"

#include <pthread.h>
#endif

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

/* The most capable kind of sharing that the device offers. */
static spmv_opencl_sharing offered(const spmv_opencl_state *state)
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

#if SPMV_BUNDLE

/* The program may lend its memory to the device at any time, so a matrix has no memory that takes
 * turns. */
spmv_status spmv_opencl_sharing_choose(spmv_opencl_state *state, spmv_error *err)
{
    const spmv_opencl_sharing most = offered(state);

    (void)err;
    state->sharing = state->is_unified && most != OCL_COARSE ? most : OCL_SEPARATE;
    return SPMV_OK;
}

#else

static const char *const sharing_names[] = {     /* in the order of spmv_opencl_sharing */
    "separate", "coarse", "fine", "system",
};

spmv_status spmv_opencl_sharing_choose(spmv_opencl_state *state, spmv_error *err)
{
    const char *wanted = spmv_variable("SPMV_MEMORY");
    const spmv_opencl_sharing most = offered(state);

    /* A discrete card copies shared memory as a whole in each turn. */
    state->sharing = state->is_unified ? most : OCL_SEPARATE;
    if (wanted == NULL || wanted[0] == '\0')
        return SPMV_OK;
    for (spmv_opencl_sharing s = OCL_SEPARATE; s <= OCL_SYSTEM; s++)
        if (strcmp(wanted, sharing_names[s]) == 0) {
            state->sharing = s;
            state->is_sharing_forced = 1;
            return s <= most ? SPMV_OK
                             : spmv_error_set(err, SPMV_UNSUPPORTED,
                                              "SPMV_MEMORY is '%s', but the "
                                              "device '%.60s' has '%s' at most",
                                              wanted, state->base.name, sharing_names[most]);
        }
    return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "SPMV_MEMORY is '%.32s'; expected separate, "
                          "coarse, fine or system", wanted);
}

#endif

int spmv_opencl_shares(const spmv_opencl_state *state, const spmv_module *module)
{
    return state->sharing != OCL_SEPARATE &&
           (state->is_sharing_forced || module->program->memory != SPMV_MEMORY_DISCRETE);
}

/* ---- shared memory ------------------------------------------------------------------------- */

/* A shared allocation. */
typedef struct spmv_opencl_shared {
    spmv_allocation area;        /* first, since this is an entry of the device's registry */
#if !SPMV_BUNDLE
    pthread_mutex_t moves;       /* for coarse sharing: guards the fields below */
    int32_t users;               /* executes that have borrowed it */
    int is_away;                 /* the device has it: the host may not use it */
#endif
} spmv_opencl_shared;

/* The shared allocation that holds all of the area. NULL: none. */
static spmv_opencl_shared *find_shared(spmv_opencl_state *state, const void *memory, size_t bytes)
{
    return (spmv_opencl_shared *)spmv_allocation_registry_find(&state->base.allocations, memory,
                                                               bytes);
}

#if !SPMV_BUNDLE
static spmv_opencl_int map(const spmv_opencl_state *state, spmv_opencl_queue queue,
                           const spmv_opencl_shared *s)
{
    return state->api.EnqueueSVMMap(queue, 1, OCL_MAP_READ | OCL_MAP_WRITE, s->area.memory,
                                    s->area.bytes, 0, NULL, NULL);
}
#endif

spmv_status spmv_opencl_shared_alloc(void *opened, size_t bytes, void **out)
{
    spmv_opencl_state *state = (spmv_opencl_state *)opened;
    const spmv_opencl_bits flags = OCL_MEM_READ_WRITE |
                                   (state->sharing >= OCL_FINE ? OCL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
    spmv_opencl_shared *s;

    *out = NULL;
    /* If all memory is shared, ordinary memory of the host serves. */
    if (state->sharing == OCL_SEPARATE || state->sharing == OCL_SYSTEM)
        return SPMV_OK;
    s = (spmv_opencl_shared *)spmv_memory_alloc_zeroed(sizeof *s);
    if (s == NULL)
        return SPMV_OUT_OF_MEMORY;
    s->area.bytes = bytes > 0 ? bytes : 1;
    s->area.memory = (char *)state->api.SVMAlloc(state->context, flags, s->area.bytes,
                                                 SPMV_ALIGNMENT);
#if !SPMV_BUNDLE
    if (s->area.memory != NULL && state->sharing == OCL_COARSE &&
        map(state, state->queue, s) != OCL_SUCCESS) {
        state->api.SVMFree(state->context, s->area.memory);
        s->area.memory = NULL;
    }
#endif
    if (s->area.memory == NULL) {
        spmv_memory_free(s);
        return SPMV_OUT_OF_MEMORY;
    }
#if !SPMV_BUNDLE
    pthread_mutex_init(&s->moves, NULL);
#endif
    spmv_allocation_registry_add(&state->base.allocations, &s->area);
    *out = s->area.memory;
    return SPMV_OK;
}

int spmv_opencl_shared_free(void *opened, void *memory)
{
    spmv_opencl_state *state = (spmv_opencl_state *)opened;
    spmv_opencl_shared *s =
        (spmv_opencl_shared *)spmv_allocation_registry_remove(&state->base.allocations, memory);

    if (s == NULL)
        return 0;
    state->api.SVMFree(state->context, s->area.memory);
#if !SPMV_BUNDLE
    pthread_mutex_destroy(&s->moves);
#endif
    spmv_memory_free(s);
    return 1;
}

int spmv_opencl_is_shared(spmv_opencl_state *state, const void *memory, size_t bytes)
{
    return state->sharing == OCL_SYSTEM || find_shared(state, memory, bytes) != NULL;
}

#if !SPMV_BUNDLE

int spmv_opencl_shared_is_same(spmv_opencl_state *state, const void *a, const void *b)
{
    const spmv_opencl_shared *s = find_shared(state, a, 0);

    return s != NULL && s == find_shared(state, b, 0);
}

/* ---- turns --------------------------------------------------------------------------------- */

/* Waits for the unmap: later commands of the multiplication do not know its event, and an
 * out-of-order queue could run them first. */
static spmv_opencl_int unmap(const spmv_opencl_state *state, spmv_opencl_queue queue,
                             const spmv_opencl_shared *s)
{
    spmv_opencl_event event = NULL;
    spmv_opencl_int code = state->api.EnqueueSVMUnmap(queue, s->area.memory, 0, NULL, &event);

    if (code != OCL_SUCCESS)
        return code;
    if (state->api.WaitForEvents(1, &event) != OCL_SUCCESS)
        code = state->api.Finish(queue);
    state->api.ReleaseEvent(event);
    return code;
}

/* Finds the allocation and locks it. NULL: it is not shared, or sharing is not coarse. Its owner
 * does not free it before executes have ended. */
static spmv_opencl_shared *take_shared(spmv_opencl_state *state, const void *memory)
{
    spmv_opencl_shared *s;

    if (state->sharing != OCL_COARSE)
        return NULL;
    s = find_shared(state, memory, 0);
    if (s != NULL)
        pthread_mutex_lock(&s->moves);
    return s;
}

spmv_opencl_int spmv_opencl_shared_lend(spmv_opencl_state *state, spmv_opencl_queue queue,
                                        const void *memory)
{
    spmv_opencl_shared *s = take_shared(state, memory);
    spmv_opencl_int code = OCL_SUCCESS;

    if (s == NULL)
        return OCL_SUCCESS;
    if (!s->is_away) {
        code = unmap(state, queue, s);
        s->is_away = code == OCL_SUCCESS;
    }
    if (code == OCL_SUCCESS)
        s->users++;
    pthread_mutex_unlock(&s->moves);
    return code;
}

spmv_opencl_int spmv_opencl_shared_return(spmv_opencl_state *state, spmv_opencl_queue queue,
                                          const void *memory)
{
    spmv_opencl_shared *s = take_shared(state, memory);
    spmv_opencl_int code = OCL_SUCCESS;

    if (s == NULL)
        return OCL_SUCCESS;
    if (s->users > 0 && --s->users == 0) {
        code = map(state, queue, s);
        s->is_away = code != OCL_SUCCESS;
    }
    pthread_mutex_unlock(&s->moves);
    return code;
}

#endif
