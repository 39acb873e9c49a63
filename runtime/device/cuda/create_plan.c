/* cuda/create_plan.c: see cuda/create_plan.h; also the CUDA backend's spmv_device_ops. */
#include "runtime/device/cuda/create_plan.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/device/cuda/context.h"
#include "runtime/device/cuda/memory.h"
#include "runtime/device/cuda/run.h"
#include "runtime/device/cuda/slots.h"

/* ---- layouts ------------------------------------------------------------------------------- */

static spmv_status take_area(spmv_device_plan *p, const char *what, const void *data, size_t bytes,
                             spmv_area *area, spmv_error *err)
{
    return spmv_cuda_area_take(p->state, what, data, bytes, ((spmv_cuda_plan *)p)->has_graphs, area,
                               err);
}

/* Waits for the copies, since other streams do not wait for this one. `status` is that of the calls
 * that started the copies. */
static spmv_status end_copies(const spmv_cuda_state *state, spmv_status status, spmv_error *err)
{
    const spmv_cuda_result code = spmv_cuda_settle(state, state->stream);

    return status != SPMV_OK || code == CU_SUCCESS
               ? status : spmv_cuda_failed(&state->api, code, "write the layout", err);
}

/* Runs `take`, which copies all arrays of the layout or those of values, and waits for the
 * copies. */
static spmv_status take_arrays(spmv_device_plan *p,
                               spmv_status (*take)(spmv_device_plan *p, spmv_error *err),
                               spmv_error *err)
{
    const spmv_status status = spmv_cuda_check_stream(p->state, err);

    return status == SPMV_OK ? end_copies(p->state, take(p, err), err) : status;
}

spmv_status spmv_cuda_plan_take_values(void *plan_state, spmv_error *err)
{
    spmv_device_plan *p = plan_state;
    const spmv_cuda_state *state = p->state;
    spmv_cuda_scope scope;
    const spmv_cuda_result code = spmv_cuda_enter(state, &scope);
    const spmv_status status =
        code == CU_SUCCESS ? take_arrays(p, spmv_device_plan_take_values, err)
                           : spmv_cuda_failed(&state->api, code, "enter its context", err);

    spmv_cuda_leave(state, &scope);
    return status;
}

/* ---- slots --------------------------------------------------------------------------------- */

static spmv_status open_slot(spmv_device_plan *p, spmv_slot *opened, spmv_error *err)
{
    const spmv_cuda_state *state = p->state;
    spmv_cuda_slot *slot = (spmv_cuda_slot *)opened;
    const spmv_cuda_result code = state->api.EventCreate(&slot->done, CU_EVENT_DISABLE_TIMING);

    if (code == CU_SUCCESS)
        return SPMV_OK;
    slot->done = NULL;
    return spmv_cuda_failed(&state->api, code, "create an event", err);
}

static void close_slot(spmv_device_plan *p, spmv_slot *closed)
{
    const spmv_cuda_state *state = p->state;
    spmv_cuda_slot *slot = (spmv_cuda_slot *)closed;

    /* Memory must not be freed before the kernels that use it have ended. */
    if (slot->is_pending && state->api.EventSynchronize(slot->done) != CU_SUCCESS)
        state->api.CtxSynchronize();
    if (slot->done != NULL)
        state->api.EventDestroy(slot->done);
    slot->done = NULL;
    slot->is_pending = 0;
}

static const spmv_device_ops ops = {
    .buffer_make = spmv_cuda_buffer_make,
    .buffer_free = spmv_cuda_buffer_free,
    .area_take = take_area,
    .shared_alloc = spmv_cuda_shared_alloc,
    .shared_free = spmv_cuda_shared_free,
    .slot_open = open_slot,
    .slot_close = close_slot,
    .write = spmv_cuda_run_write,
    .read = spmv_cuda_run_read,
    .wait = spmv_cuda_run_wait,
    .launch = spmv_cuda_run_launch,
};

/* ---- plans --------------------------------------------------------------------------------- */

/* Waits for kernels that no slot waits for. cuMemFree does that, and unlike cuCtxSynchronize it
 * spoils no capture in another stream. */
static void wait_for_unmarked(const spmv_cuda_plan *p)
{
    const spmv_cuda_state *state = p->base.state;

    if (p->has_unmarked && !spmv_device_plan_has_buffers(&p->base))
        state->api.CtxSynchronize();
}

/* A context that cannot be entered has been destroyed, with its memory and events. Their handles
 * mean nothing any more, so none may be passed to the driver. */
static void forget(spmv_cuda_plan *p)
{
    spmv_device_plan_forget(&p->base);
    for (int i = 0; i < SPMV_SLOTS; i++)
        spmv_cuda_slot_forget(&p->slot[i]);
    spmv_cuda_slots_forget(p);
}

void spmv_cuda_plan_destroy(void *plan_state)
{
    spmv_cuda_plan *p = plan_state;
    spmv_cuda_state *state;
    spmv_cuda_scope scope;
    int is_entered;

    if (p == NULL)
        return;
    state = p->base.state;
    is_entered = spmv_cuda_enter(state, &scope) == CU_SUCCESS;
    if (is_entered)
        wait_for_unmarked(p);
    else
        forget(p);
    spmv_cuda_slots_clear(p);
    spmv_device_plan_clear(&p->base);
    spmv_cuda_program_give_back(state, p->program, is_entered);
    spmv_cuda_leave(state, &scope);
    spmv_memory_free(p);
}

static spmv_status make_plan(spmv_cuda_plan *p, spmv_error *err)
{
    spmv_status status =
        spmv_cuda_program_take(p->base.state, p->base.module, &p->program, err);

    if (status == SPMV_OK)
        status = take_arrays(&p->base, spmv_device_plan_take_layout, err);
    return status == SPMV_OK ? spmv_slot_make(&p->base, p->base.slot[0], err) : status;
}

spmv_status spmv_cuda_plan_create(void *opened, const spmv_module *module,
                                  const spmv_layout *layout, const spmv_threads *threads,
                                  void **plan_state, spmv_error *err)
{
    const spmv_cuda_state *state = opened;
    spmv_cuda_plan *p = spmv_memory_alloc_zeroed(sizeof *p);
    spmv_cuda_scope scope;
    spmv_status status;
    spmv_cuda_result code;

    if (p == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the plan's state");
    for (int i = 0; i < SPMV_SLOTS; i++)
        p->base.slot[i] = &p->slot[i].base;
    status = spmv_device_plan_begin(&p->base, &ops, opened, module, layout, threads, err);
    p->base.shares = spmv_cuda_shares(state, module);
    code = status == SPMV_OK ? spmv_cuda_enter(state, &scope) : CU_SUCCESS;
    if (status == SPMV_OK) {
        status = code == CU_SUCCESS
                     ? make_plan(p, err)
                     : spmv_cuda_failed(&state->api, code, "enter its context", err);
        spmv_cuda_leave(state, &scope);
    }
    if (status != SPMV_OK) {
        spmv_cuda_plan_destroy(p);
        return status;
    }
    *plan_state = p;
    return SPMV_OK;
}
