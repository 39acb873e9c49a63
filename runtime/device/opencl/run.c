/* opencl/run.c: what one multiplication asks of its queue, and how memory changes hands. */
#include "runtime/device/opencl/run.h"

#include "runtime/base/clock.h"
#include "runtime/base/debug.h"
#include "runtime/base/memory.h"

#include <stdio.h>

/* ---- commands ------------------------------------------------------------------------------ */

int spmv_opencl_run_is_failed(const spmv_opencl_run *r)
{
    return r->code != OCL_SUCCESS || r->status != SPMV_OK;
}

int spmv_opencl_run_wants_event(const spmv_opencl_run *r)
{
    return r->is_enqueue || r->times.time != NULL || r->last != NULL ||
           (r->properties & OCL_QUEUE_OUT_OF_ORDER) != 0;
}

void spmv_opencl_run_follow(spmv_opencl_run *r, spmv_opencl_event event)
{
    if (event == NULL)
        return;
    if (r->last != NULL)
        r->p->state->api.ReleaseEvent(r->last);
    r->last = event;
}

void spmv_opencl_run_write(spmv_opencl_run *r, spmv_opencl_memory buffer, const void *data,
                           size_t bytes)
{
    spmv_opencl_event event = NULL;

    if (r->code != OCL_SUCCESS || bytes == 0)
        return;
    r->code = r->p->state->api.EnqueueWriteBuffer(r->queue, buffer, 1, 0, bytes, data, OCL_WAITS(r),
                                                  OCL_EVENT(r, &event));
    spmv_opencl_run_follow(r, event);
}

void spmv_opencl_run_read(spmv_opencl_run *r, spmv_opencl_memory buffer, void *data, size_t bytes)
{
    spmv_opencl_event event = NULL;

    if (r->code != OCL_SUCCESS || bytes == 0)
        return;
    r->code = r->p->state->api.EnqueueReadBuffer(r->queue, buffer, 1, 0, bytes, data, OCL_WAITS(r),
                                                 OCL_EVENT(r, &event));
    spmv_opencl_run_follow(r, event);
}

void spmv_opencl_run_wait(spmv_opencl_run *r)
{
    const spmv_opencl_api *api = &r->p->state->api;

    if (r->code == OCL_SUCCESS)
        r->code = r->last != NULL ? api->WaitForEvents(1, &r->last) : api->Finish(r->queue);
}

void spmv_opencl_run_wait_for(spmv_opencl_run *r, spmv_opencl_uint count,
                              const spmv_opencl_event *event)
{
    spmv_opencl_event marker = NULL;

    if (r->code != OCL_SUCCESS || count == 0)
        return;
    r->code = r->p->state->api.EnqueueMarkerWithWaitList(r->queue, count, event, &marker);
    spmv_opencl_run_follow(r, marker);
}

int spmv_opencl_event_is_over(const spmv_opencl_state *state, spmv_opencl_event event)
{
    spmv_opencl_int status = 1;  /* 0: complete; less: failed */

    return state->api.GetEventInfo(event, OCL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                   &status, NULL) == OCL_SUCCESS &&
           status <= 0;
}

/* ---- memory that takes turns --------------------------------------------------------------- */

int spmv_opencl_run_y_is_shared(const spmv_opencl_run *r)
{
    return r->y.shared != NULL;
}

void spmv_opencl_run_lend(spmv_opencl_run *r, const void *memory)
{
    if (r->code == OCL_SUCCESS && memory != NULL)
        r->code = spmv_opencl_shared_lend(r->p->state, r->queue, memory);
}

void spmv_opencl_run_take_back(spmv_opencl_run *r, const void *memory)
{
    if (memory != NULL) {
        const spmv_opencl_int code = spmv_opencl_shared_return(r->p->state, r->queue, memory);
        r->code = r->code == OCL_SUCCESS ? code : r->code;
    }
}

void spmv_opencl_run_move_parts(spmv_opencl_run *r, int32_t access, int to_host)
{
    const spmv_layout *layout = &r->p->plan->layout;
    const double start = spmv_seconds_now();
    size_t moved = 0;

    if (r->slot->is_shared) {
        if (to_host && !r->slot->is_home)
            spmv_opencl_run_take_back(r, r->slot->workspace);
        else if (!to_host && r->slot->is_home)
            spmv_opencl_run_lend(r, r->slot->workspace);
        /* An error leaves it where it is: the next multiplication in this slot sends it away. */
        r->slot->is_home = to_host || (r->slot->is_home && r->code != OCL_SUCCESS);
        return;
    }
    for (int32_t i = 0; i < layout->part_count; i++) {
        const spmv_part *part = &layout->part[i];
        char *data = (char *)r->slot->workspace + part->offset;

        if (!(part->host & access))
            continue;
        if (to_host)
            spmv_opencl_run_read(r, r->slot->part[i].buffer, data, part->bytes);
        else
            spmv_opencl_run_write(r, r->slot->part[i].buffer, data, part->bytes);
        moved += part->bytes;
    }
    if (moved > 0)
        spmv_times_note(&r->times, to_host ? SPMV_FROM_DEVICE : SPMV_TO_DEVICE,
                        spmv_seconds_now() - start);
}

void spmv_opencl_run_bring_y(spmv_opencl_run *r)
{
    const double start = spmv_seconds_now();

    if (spmv_opencl_run_y_is_shared(r)) {
        spmv_opencl_run_take_back(r, r->y.shared);
    } else {
        if (r->job.y == NULL && r->slot->host_y == NULL &&
            (r->slot->host_y = spmv_memory_alloc(spmv_layout_y_bytes(r->job.layout))) == NULL)
            r->code = OCL_OUT_OF_HOST_MEMORY;
        if (r->job.y == NULL)
            r->job.y = r->slot->host_y;
        spmv_opencl_run_read(r, r->y.buffer, r->job.y, spmv_layout_y_bytes(r->job.layout));
        spmv_times_note(&r->times, SPMV_FROM_DEVICE, spmv_seconds_now() - start);
    }
    r->y_is_home = 1;
}

void spmv_opencl_run_send_y(spmv_opencl_run *r)
{
    const double start = spmv_seconds_now();

    if (spmv_opencl_run_y_is_shared(r)) {
        spmv_opencl_run_lend(r, r->y.shared);
    } else {
        spmv_opencl_run_write(r, r->y.buffer, r->job.y, spmv_layout_y_bytes(r->job.layout));
        spmv_times_note(&r->times, SPMV_TO_DEVICE, spmv_seconds_now() - start);
    }
    if (r->code == OCL_SUCCESS)
        r->y_is_home = 0;
}

/* ---- what came of it ----------------------------------------------------------------------- */

spmv_status spmv_opencl_run_status(const spmv_opencl_run *r, spmv_status status)
{
    spmv_error own = { SPMV_OK, "" };
    char doing[96];

    if (r->status != SPMV_OK)
        status = r->status;
    if (status != SPMV_OK || r->code == OCL_SUCCESS)
        return status;
    snprintf(doing, sizeof doing, "multiply (%.64s)", r->doing != NULL ? r->doing : "vectors");
    status = spmv_opencl_failed(r->code, doing, &own);
    /* Of a command that ran, it says that the command went wrong, and seldom that memory is
     * short. */
    if (r->code == OCL_OUT_OF_RESOURCES)
        own.status = status = SPMV_DEVICE_FAILED;
    if (r->err != NULL)
        *r->err = own;
    spmv_debug_line(own.text);
    return status;
}
