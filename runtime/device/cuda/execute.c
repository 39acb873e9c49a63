/* cuda/execute.c: one multiplication on a CUDA device that is waited for. Vectors are the host's,
 * which are copied, or the device's or managed, which are used where they are. */
#include "runtime/device/cuda/run.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"

/* What kernels get of a vector: the vector itself, or the slot's copy. */
static spmv_cuda_pointer see_vector(spmv_cuda_run *r, const char *name, const void *vector,
                                    size_t bytes, spmv_cuda_pointer *copy, int *is_copy,
                                    spmv_cuda_place *place)
{
    spmv_cuda_found found = { CU_OF_HOST, SIZE_MAX, 0 };

    if (spmv_cuda_run_is_failed(r) || vector == NULL || bytes == 0)
        return 0;
    r->code = spmv_cuda_look(r->p->state, vector, bytes, 0, &found);
    *place = found.place;
    if (spmv_cuda_run_is_failed(r) || spmv_cuda_run_take_vector(r, name, &found, bytes))
        return (spmv_cuda_pointer)vector;
    if (r->status == SPMV_OK && *copy == 0)
        r->status = spmv_cuda_buffer_make(r->p->state, name, bytes, copy, r->err);
    *is_copy = 1;
    return *copy;
}

static void begin(spmv_cuda_run *r)
{
    const spmv_layout *layout = r->job.layout;
    const spmv_cuda_api *api = &r->p->state->api;
    const double start = spmv_seconds_now();
    spmv_cuda_place x_place = CU_OF_HOST, y_place = CU_OF_HOST;

    /* What an enqueue left in the slot ends first. */
    if (r->slot->is_pending)
        r->code = api->StreamWaitEvent(r->stream, r->slot->done, 0);
    r->x = see_vector(r, "x", r->job.alpha != 0 ? r->job.x : NULL, spmv_layout_x_bytes(layout),
                      &r->slot->x, &r->x_is_copy, &x_place);
    r->y = see_vector(r, "y", r->job.y, spmv_layout_y_bytes(layout), &r->slot->y, &r->y_is_copy,
                      &y_place);
    r->y_is_shared = y_place == CU_MANAGED && r->p->state->sharing != CU_SEPARATE;
    if (r->times.time != NULL && !spmv_cuda_run_is_failed(r))
        r->code = api->EventCreate(&r->start, CU_EVENT_TIMING);
    if (r->times.time != NULL && !spmv_cuda_run_is_failed(r))
        r->code = api->EventCreate(&r->stop, CU_EVENT_TIMING);
    if (r->x_is_copy)
        spmv_cuda_run_write(r, r->x, r->job.x, spmv_layout_x_bytes(layout));
    if (r->y_is_copy && r->job.beta != 0)
        spmv_cuda_run_write(r, r->y, r->job.y, spmv_layout_y_bytes(layout));
    if (r->x_is_copy || r->y_is_copy)
        spmv_cuda_run_note_copies(r, SPMV_TO_DEVICE, start);
    if (!r->y_is_copy && !r->y_is_shared)
        r->job.y = NULL;         /* the host cannot use it there */
}

static void end(spmv_cuda_run *r)
{
    const spmv_cuda_api *api = &r->p->state->api;
    const double start = spmv_seconds_now();

    if (r->y_is_copy && !r->y_is_home) {
        spmv_cuda_run_read(r, r->job.y, r->y, spmv_layout_y_bytes(r->job.layout));
        spmv_cuda_run_note_copies(r, SPMV_FROM_DEVICE, start);
    } else if (!r->y_is_copy && !r->y_is_shared && r->y_is_home) {
        spmv_cuda_run_send_y(r);
    }
    spmv_cuda_run_wait(r);
    /* After an error too: kernels may still be at memory that is the caller's from now on. */
    if (spmv_cuda_run_is_failed(r))
        spmv_cuda_settle(r->p->state, r->stream);
    else
        r->slot->is_pending = 0;
    if (r->start != NULL)
        api->EventDestroy(r->start);
    if (r->stop != NULL)
        api->EventDestroy(r->stop);
}

/* The context is current. */
static spmv_status execute(spmv_cuda_run *r, int is_own)
{
    spmv_launch_list list;
    int is_captured = 0;
    spmv_status status;

    r->code = spmv_cuda_is_captured(r->p->state, r->stream, &is_captured);
    if (is_captured)
        r->status = spmv_error_set(r->err, SPMV_UNSUPPORTED,
                                   "spmv_execute waits for the device, and "
                                   "its stream is being captured; spmv_enqueue can be captured");
    if (spmv_cuda_run_is_failed(r))
        return spmv_cuda_run_status(r);
    r->slot = spmv_cuda_slot_take(r->p, is_own ? SPMV_SLOT_OWN : SPMV_SLOT_ANY, r->stream, &status,
                                  r->err);
    if (r->slot == NULL)
        return status;
    begin(r);
    if (!spmv_cuda_run_is_failed(r))
        r->status = spmv_launch_list_make(r->p->plan->module, &r->job, &list);
    if (!spmv_cuda_run_is_failed(r))
        spmv_cuda_run_steps(r, &list);
    end(r);
    spmv_cuda_slot_give_back(r->p, r->slot);
    return spmv_cuda_run_status(r);
}

spmv_status spmv_cuda_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                                   int32_t *count)
{
    spmv_cuda_plan *p = (spmv_cuda_plan *)plan_state;
    spmv_error err = { SPMV_OK, "" };
    spmv_cuda_run r = {
        .p = p, .job = *job, .stream = p->state->stream, .times = { time, 0 }, .err = &err
    };
    spmv_cuda_scope scope;
    spmv_status status = spmv_cuda_run_enter(&r, &scope);

    r.job.workspace = NULL;
    if (status == SPMV_OK)
        status = execute(&r, job->workspace == NULL);
    spmv_cuda_run_leave(&r, &scope);
    if (count != NULL)
        *count = r.times.count;
    return spmv_cuda_run_tell("spmv_execute", status, &err, NULL);
}
