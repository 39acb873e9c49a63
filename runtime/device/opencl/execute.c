/* opencl/execute.c: a synchronous multiplication on an OpenCL device with vectors of the host. */
#include "runtime/device/opencl/execute.h"

#include "runtime/base/clock.h"
#include "runtime/device/opencl/memory.h"
#include "runtime/device/opencl/run.h"
#include "runtime/device/opencl/turns.h"

#include <string.h>

/* The argument of kernels for a vector: the vector itself, or a buffer of the slot. */
static spmv_area see_vector(spmv_run *r, const char *name, const void *vector, size_t bytes,
                            void **copy)
{
    spmv_opencl_state *state = spmv_opencl_state_of(r);
    spmv_area area = { NULL, NULL };

    if (r->code != OCL_SUCCESS || vector == NULL)
        return area;
    if (spmv_opencl_is_shared(state, vector, bytes)) {
        memcpy(&area.shared, &vector, sizeof vector);
        return area;
    }
    if (*copy == NULL &&
        (r->status = spmv_opencl_buffer_make(state, name, bytes, copy, r->err)) != SPMV_OK)
        r->code = OCL_MEM_OBJECT_ALLOCATION_FAILURE;
    area.buffer = *copy;
    return area;
}

/* Lends shared vectors to the device. Vectors that could not be lent must not be taken back. */
static void lend_vectors(spmv_opencl_run *r)
{
    spmv_area *x = &r->base.x, *y = &r->base.y;

    r->x_is_lent_with_y =
        spmv_opencl_shared_is_same(spmv_opencl_state_of(&r->base), x->shared, y->shared);
    spmv_opencl_run_lend(&r->base, y->shared);
    if (r->base.code != OCL_SUCCESS)
        y->shared = x->shared = NULL;
    if (!r->x_is_lent_with_y)
        spmv_opencl_run_lend(&r->base, x->shared);
    if (r->base.code != OCL_SUCCESS)
        x->shared = NULL;
}

static void begin(spmv_opencl_run *run)
{
    spmv_run *r = &run->base;
    const size_t x_bytes = spmv_layout_x_bytes(r->job.layout);
    const size_t y_bytes = spmv_layout_y_bytes(r->job.layout);
    const double start = spmv_seconds_now();

    if (r->slot->is_with_host)   /* after an error */
        spmv_run_move_parts(r, 0, 0);
    r->x = see_vector(r, "x", r->job.alpha != 0 ? r->job.x : NULL, x_bytes, &r->slot->x);
    r->y = see_vector(r, "y", r->job.y, y_bytes, &r->slot->y);
    lend_vectors(run);
    if (r->x.buffer != NULL)
        spmv_opencl_run_write(r, r->x.buffer, r->job.x, x_bytes);
    if (r->y.buffer != NULL && r->job.beta != 0)
        spmv_opencl_run_write(r, r->y.buffer, r->job.y, y_bytes);
    if (r->x.buffer != NULL || r->y.buffer != NULL)
        spmv_run_note_copies(r, SPMV_TO_DEVICE, start);
}

static void end(spmv_opencl_run *run)
{
    spmv_run *r = &run->base;
    double start;

    /* After an error too: kernels may still use memory that the caller gets back. */
    if (r->code != OCL_SUCCESS)
        spmv_opencl_state_of(r)->api.Finish(run->queue);
    spmv_opencl_run_wait(r);
    start = spmv_seconds_now();
    if (!r->y_is_with_host && r->y.buffer != NULL) {
        spmv_opencl_run_read(r, r->job.y, r->y.buffer, spmv_layout_y_bytes(r->job.layout));
        spmv_run_note_copies(r, SPMV_FROM_DEVICE, start);
    }
    if (!r->y_is_with_host)
        spmv_opencl_run_take_back(r, r->y.shared);
    if (!run->x_is_lent_with_y)
        spmv_opencl_run_take_back(r, r->x.shared);
}

/* Waits for commands that an enqueue left in the slot, and ignores their errors. */
static void wait_for_slot(const spmv_run *r)
{
    const spmv_opencl_api *api = &spmv_opencl_state_of(r)->api;
    spmv_opencl_slot *slot = spmv_opencl_slot_of(r);

    if (slot->last == NULL)
        return;
    api->WaitForEvents(1, &slot->last);
    api->ReleaseEvent(slot->last);
    slot->last = NULL;
}

spmv_status spmv_opencl_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                                     int32_t *count)
{
    spmv_device_plan *p = plan_state;
    const spmv_opencl_state *state = p->state;
    spmv_opencl_run run = { .base = { .p = p, .job = *job, .times = { time, 0 } },
                            .queue = state->queue, .properties = state->queue_properties };
    spmv_run *r = &run.base;
    spmv_launch_list list;
    spmv_status status;

    r->slot = spmv_slot_take(p, job->workspace == NULL ? SPMV_SLOT_OWN : SPMV_SLOT_ANY, run.queue,
                             &status, NULL);
    if (r->slot == NULL)
        return status;
    wait_for_slot(r);
    begin(&run);
    if (!spmv_run_is_failed(r))
        r->status = spmv_launch_list_make(p->module, &r->job, &list);
    if (!spmv_run_is_failed(r))
        spmv_run_steps(r, &list);
    end(&run);
    if (run.last != NULL)
        state->api.ReleaseEvent(run.last);
    spmv_slot_give_back(p, r->slot);
    if (count != NULL)
        *count = r->times.count;
    return spmv_opencl_run_status(r);
}
