/* opencl/turns.c: see opencl/turns.h. Bundles do without this file. */
#include "runtime/device/opencl/turns.h"

#include "runtime/base/environment.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/device/opencl/memory.h"
#include "runtime/device/opencl/run.h"

#include <pthread.h>
#include <string.h>

/* ---- how memory is shared ------------------------------------------------------------------ */

static const char *const sharing_names[] = {     /* in the order of spmv_opencl_sharing */
    "separate", "coarse", "fine", "system",
};

spmv_status spmv_opencl_sharing_choose(spmv_opencl_state *state, spmv_error *err)
{
    const char *wanted = spmv_variable("SPMV_MEMORY");
    const spmv_opencl_sharing most = spmv_opencl_offered(state);

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

/* ---- shared memory ------------------------------------------------------------------------- */

/* A shared allocation. */
typedef struct spmv_opencl_shared {
    spmv_allocation area;        /* first, since this is an entry of the device's registry */
    pthread_mutex_t moves;       /* for coarse sharing: guards the fields below */
    int32_t users;               /* executes that have borrowed it */
    int is_away;                 /* the device has it: the host may not use it */
} spmv_opencl_shared;

/* The shared allocation that holds the address. NULL: none. */
static spmv_opencl_shared *find_shared(spmv_opencl_state *state, const void *memory)
{
    return (spmv_opencl_shared *)spmv_allocation_registry_find(&state->base.allocations, memory, 0);
}

static spmv_opencl_int map(const spmv_opencl_state *state, spmv_opencl_queue queue,
                           const spmv_allocation *area)
{
    return state->api.EnqueueSVMMap(queue, 1, OCL_MAP_READ | OCL_MAP_WRITE, area->memory,
                                    area->bytes, 0, NULL, NULL);
}

spmv_allocation *spmv_opencl_turns_create(void)
{
    spmv_opencl_shared *s = (spmv_opencl_shared *)spmv_memory_alloc_zeroed(sizeof *s);

    if (s == NULL)
        return NULL;
    pthread_mutex_init(&s->moves, NULL);
    return &s->area;
}

int spmv_opencl_turns_begin(spmv_opencl_state *state, const spmv_allocation *shared)
{
    return state->sharing != OCL_COARSE || map(state, state->queue, shared) == OCL_SUCCESS;
}

void spmv_opencl_turns_destroy(spmv_allocation *shared)
{
    pthread_mutex_destroy(&((spmv_opencl_shared *)shared)->moves);
    spmv_memory_free(shared);
}

int spmv_opencl_shared_is_same(spmv_opencl_state *state, const void *a, const void *b)
{
    const spmv_opencl_shared *s = find_shared(state, a);

    return s != NULL && s == find_shared(state, b);
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
    s = find_shared(state, memory);
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
        code = map(state, queue, &s->area);
        s->is_away = code != OCL_SUCCESS;
    }
    pthread_mutex_unlock(&s->moves);
    return code;
}

/* ---- of a multiplication ------------------------------------------------------------------- */

spmv_status spmv_opencl_slot_lend(spmv_device_plan *p, spmv_slot *slot, spmv_error *err)
{
    spmv_opencl_state *state = p->state;
    const spmv_opencl_int code = spmv_opencl_shared_lend(state, state->queue, slot->workspace);

    return code == OCL_SUCCESS ? SPMV_OK
                               : spmv_opencl_failed(code, "take the shared workspace", err);
}

void spmv_opencl_run_lend(spmv_run *run, const void *memory)
{
    const spmv_opencl_run *r = (const spmv_opencl_run *)run;

    if (run->code == OCL_SUCCESS && memory != NULL)
        run->code = spmv_opencl_shared_lend(spmv_opencl_state_of(run), r->queue, memory);
}

void spmv_opencl_run_take_back(spmv_run *run, const void *memory)
{
    const spmv_opencl_run *r = (const spmv_opencl_run *)run;

    if (memory != NULL) {
        const spmv_opencl_int code = spmv_opencl_shared_return(spmv_opencl_state_of(run), r->queue,
                                                               memory);
        run->code = run->code == OCL_SUCCESS ? code : run->code;
    }
}
