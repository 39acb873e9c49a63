/* opencl/execute.c: one multiplication on an OpenCL device, from vectors of the host to a vector of
 * the host. When it returns all has ended. */
#include "runtime/device/opencl/run.h"

#include "runtime/base/clock.h"

#include <string.h>

/* What the device sees of a vector: the vector itself, or the slot's copy. */
static spmv_opencl_area see_vector(spmv_opencl_run *r, const char *name, const void *vector,
                                   size_t bytes, spmv_opencl_memory *copy)
{
    spmv_opencl_area area = { NULL, NULL };

    if (r->code != OCL_SUCCESS || vector == NULL)
        return area;
    if (spmv_opencl_is_shared(r->p->state, vector, bytes)) {
        memcpy(&area.shared, &vector, sizeof vector);
        return area;
    }
    if (*copy == NULL &&
        (r->status = spmv_opencl_buffer_make(r->p->state, name, bytes, copy, r->err)) != SPMV_OK)
        r->code = OCL_MEM_OBJECT_ALLOCATION_FAILURE;
    area.buffer = *copy;
    return area;
}

/* Shared memory goes to the device. What was not lent must not be taken back. */
static void lend_vectors(spmv_opencl_run *r)
{
    r->x_rides = spmv_opencl_shared_is_same(r->p->state, r->x.shared, r->y.shared);
    spmv_opencl_run_lend(r, r->y.shared);
    if (r->code != OCL_SUCCESS)
        r->y.shared = r->x.shared = NULL;
    if (!r->x_rides)
        spmv_opencl_run_lend(r, r->x.shared);
    if (r->code != OCL_SUCCESS)
        r->x.shared = NULL;
}

static void begin(spmv_opencl_run *r)
{
    const double start = spmv_seconds_now();

    if (r->slot->is_home)        /* an error left it there */
        spmv_opencl_run_move_parts(r, 0, 0);
    r->x = see_vector(r, "x", r->job.alpha != 0 ? r->job.x : NULL,
                      spmv_layout_x_bytes(r->job.layout), &r->slot->x);
    r->y = see_vector(r, "y", r->job.y, spmv_layout_y_bytes(r->job.layout), &r->slot->y);
    lend_vectors(r);
    if (r->x.buffer != NULL)
        spmv_opencl_run_write(r, r->x.buffer, r->job.x, spmv_layout_x_bytes(r->job.layout));
    if (r->y.buffer != NULL && r->job.beta != 0)
        spmv_opencl_run_write(r, r->y.buffer, r->job.y, spmv_layout_y_bytes(r->job.layout));
    if (r->x.buffer != NULL || r->y.buffer != NULL)
        spmv_times_note(&r->times, SPMV_TO_DEVICE, spmv_seconds_now() - start);
}

static void end(spmv_opencl_run *r)
{
    double start;

    /* After an error too: kernels may still be at the memory that goes back. */
    if (r->code != OCL_SUCCESS)
        r->p->state->api.Finish(r->queue);
    spmv_opencl_run_wait(r);
    start = spmv_seconds_now();
    if (!r->y_is_home && r->y.buffer != NULL) {
        spmv_opencl_run_read(r, r->y.buffer, r->job.y, spmv_layout_y_bytes(r->job.layout));
        spmv_times_note(&r->times, SPMV_FROM_DEVICE, spmv_seconds_now() - start);
    }
    if (!r->y_is_home)
        spmv_opencl_run_take_back(r, r->y.shared);
    if (!r->x_rides)
        spmv_opencl_run_take_back(r, r->x.shared);
}

/* What an enqueue left in the slot ends first, however it ends. */
static void wait_for_slot(spmv_opencl_run *r)
{
    const spmv_opencl_api *api = &r->p->state->api;

    if (r->slot->last == NULL)
        return;
    api->WaitForEvents(1, &r->slot->last);
    api->ReleaseEvent(r->slot->last);
    r->slot->last = NULL;
}

spmv_status spmv_opencl_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                                     int32_t *count)
{
    spmv_opencl_plan *p = (spmv_opencl_plan *)plan_state;
    spmv_opencl_run r = { .p = p, .job = *job, .queue = p->state->queue,
                          .properties = p->state->queue_properties, .times = { time, 0 } };
    spmv_status status;

    r.slot = spmv_opencl_slot_take(p, job->workspace == NULL, r.queue, &status, NULL);
    if (r.slot == NULL)
        return status;
    wait_for_slot(&r);
    begin(&r);
    status = spmv_opencl_run_steps(&r);
    end(&r);
    if (r.last != NULL)
        p->state->api.ReleaseEvent(r.last);
    spmv_opencl_slot_give_back(p, r.slot);
    if (count != NULL)
        *count = r.times.count;
    return spmv_opencl_run_status(&r, status);
}
