/* cuda/execute.c: a synchronous multiplication on a CUDA device. Vectors in host memory are copied;
 * vectors in device memory or managed memory are used in place. */
#include "runtime/device/cuda/execute.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/device/cuda/run.h"

/* The argument of kernels for a vector: the vector itself, or a buffer of the slot. */
static spmv_area see_vector(spmv_run *r, const char *name, const void *vector, size_t bytes,
                            void **copy, int *is_copy)
{
    spmv_cuda_found found = { CU_OF_HOST, SIZE_MAX, 0 };

    if (spmv_run_is_failed(r) || vector == NULL || bytes == 0)
        return (spmv_area){ NULL, NULL };
    r->code = spmv_cuda_look(spmv_cuda_state_of(r), vector, bytes, 0, &found);
    if (spmv_run_is_failed(r) || spmv_cuda_run_take_vector(r, name, &found, bytes))
        return spmv_cuda_run_area_of(r, vector, found.place);
    if (r->status == SPMV_OK && *copy == NULL)
        r->status = spmv_cuda_buffer_make(r->p->state, name, bytes, copy, r->err);
    *is_copy = 1;
    return (spmv_area){ *copy, NULL };
}

static void begin(spmv_cuda_run *run)
{
    spmv_run *r = &run->base;
    const spmv_cuda_slot *slot = spmv_cuda_slot_of(r);
    const spmv_cuda_api *api = &spmv_cuda_state_of(r)->api;
    const size_t x_bytes = spmv_layout_x_bytes(r->job.layout);
    const size_t y_bytes = spmv_layout_y_bytes(r->job.layout);
    const double start = spmv_seconds_now();

    /* Waits for commands that an enqueue left in the slot. */
    if (slot->is_pending)
        r->code = api->StreamWaitEvent(run->stream, slot->done, 0);
    r->x = see_vector(r, "x", r->job.alpha != 0 ? r->job.x : NULL, x_bytes, &r->slot->x,
                      &run->x_is_copy);
    r->y = see_vector(r, "y", r->job.y, y_bytes, &r->slot->y, &run->y_is_copy);
    if (r->times.time != NULL && !spmv_run_is_failed(r))
        r->code = api->EventCreate(&run->start, CU_EVENT_TIMING);
    if (r->times.time != NULL && !spmv_run_is_failed(r))
        r->code = api->EventCreate(&run->stop, CU_EVENT_TIMING);
    if (run->x_is_copy)
        spmv_cuda_run_write(r, r->x.buffer, r->job.x, x_bytes);
    if (run->y_is_copy && r->job.beta != 0)
        spmv_cuda_run_write(r, r->y.buffer, r->job.y, y_bytes);
    if (run->x_is_copy || run->y_is_copy)
        spmv_run_note_copies(r, SPMV_TO_DEVICE, start);
    if (!run->y_is_copy && r->y.shared == NULL)
        r->job.y = NULL;         /* the host cannot use memory of the device */
}

static void end(spmv_cuda_run *run)
{
    spmv_run *r = &run->base;
    const spmv_cuda_api *api = &spmv_cuda_state_of(r)->api;
    const double start = spmv_seconds_now();

    if (run->y_is_copy && !r->y_is_with_host) {
        spmv_cuda_run_read(r, r->job.y, r->y.buffer, spmv_layout_y_bytes(r->job.layout));
        spmv_run_note_copies(r, SPMV_FROM_DEVICE, start);
    } else if (!run->y_is_copy && r->y.shared == NULL && r->y_is_with_host) {
        spmv_run_send_y(r);
    }
    spmv_cuda_run_wait(r);
    /* After an error too: kernels may still use memory that the caller gets back. */
    if (spmv_run_is_failed(r))
        spmv_cuda_settle(spmv_cuda_state_of(r), run->stream);
    else
        spmv_cuda_slot_of(r)->is_pending = 0;
    if (run->start != NULL)
        api->EventDestroy(run->start);
    if (run->stop != NULL)
        api->EventDestroy(run->stop);
}

/* The context is current. */
static spmv_status execute(spmv_cuda_run *run, int is_own)
{
    spmv_run *r = &run->base;
    spmv_launch_list list;
    int is_captured = 0;
    spmv_status status;

    r->code = spmv_cuda_is_captured(spmv_cuda_state_of(r), run->stream, &is_captured);
    if (is_captured)
        r->status = spmv_error_set(r->err, SPMV_UNSUPPORTED,
                                   "spmv_execute waits for the device, and its stream is being "
                                   "captured; spmv_enqueue can be captured");
    if (spmv_run_is_failed(r))
        return spmv_cuda_run_status(r);
    status = spmv_cuda_run_take_slot(run, is_own ? SPMV_SLOT_OWN : SPMV_SLOT_ANY);
    if (status != SPMV_OK)
        return status;
    begin(run);
    if (!spmv_run_is_failed(r))
        r->status = spmv_launch_list_make(r->p->module, &r->job, &list);
    if (!spmv_run_is_failed(r))
        spmv_run_steps(r, &list);
    end(run);
    spmv_slot_give_back(r->p, r->slot);
    return spmv_cuda_run_status(r);
}

spmv_status spmv_cuda_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                                   int32_t *count)
{
    spmv_device_plan *p = plan_state;
    const spmv_cuda_state *state = p->state;
    spmv_error err = { SPMV_OK, "" };
    spmv_cuda_run run = { .base = { .p = p, .job = *job, .times = { time, 0 }, .err = &err },
                          .stream = state->stream };
    spmv_cuda_scope scope;
    spmv_status status = spmv_cuda_run_enter(&run.base, &scope);

    run.base.job.workspace = NULL;
    if (status == SPMV_OK)
        status = execute(&run, job->workspace == NULL);
    spmv_cuda_run_leave(&run.base, &scope);
    if (count != NULL)
        *count = run.base.times.count;
    return spmv_cuda_run_report("spmv_execute", status, &err, NULL);
}
