/* cuda/enqueue.c: an asynchronous multiplication on a CUDA device. Its vectors are in device memory
 * or managed memory. An event is for the caller. A multiplication without workspace and host steps
 * needs no slot. In the device's stream, or without a workspace, a multiplication of k kernels
 * takes 4 + k calls of the driver if the context is current and the queue the same as before; in
 * another stream a workspace takes 4 more.
 *
 * In a stream that is being captured the multiplication becomes part of a graph, which may run at
 * any time and any number of times. A graph cannot wait for commands outside of it. */
#include "runtime/device/cuda/enqueue.h"

#include "runtime/base/error.h"
#include "runtime/base/overlap.h"
#include "runtime/base/types.h"
#include "runtime/device/cuda/slots.h"

#define CALL "spmv_enqueue"
#define OPTIONS CALL " options"

/* ---- arguments ----------------------------------------------------------------------------- */

/* Checks that the stream is of this context, as far as the driver can tell. */
static spmv_status check_queue(const spmv_cuda_run *run)
{
    const spmv_run *r = &run->base;
    const spmv_cuda_state *s = spmv_cuda_state_of(r);
    spmv_cuda_plan *p = (spmv_cuda_plan *)r->p;
    spmv_cuda_context context = NULL;

    /* If another stream has the address of the known one since, the driver refuses the launch. */
    if (s->api.StreamGetCtx == NULL || p->known == run->stream)
        return SPMV_OK;
    if (s->api.StreamGetCtx(run->stream, &context) == CU_SUCCESS && context == s->context) {
        p->known = run->stream;
        return SPMV_OK;
    }
    return spmv_error_set(r->err, SPMV_INVALID_ARGUMENT, OPTIONS ": queue is none of the device's "
                          "context");
}

static spmv_status check_vector(spmv_run *r, const char *name, const void *vector,
                                size_t bytes, spmv_cuda_place *place)
{
    const size_t alignment = spmv_value_alignment(r->job.layout->csr.value_type);
    const char *fault = vector == NULL ? "NULL" : "misaligned";
    spmv_cuda_found found = { CU_OF_HOST, SIZE_MAX, 0 };

    if (bytes == 0)
        return SPMV_OK;
    if (vector != NULL && spmv_is_aligned(vector, alignment)) {
        r->code = spmv_cuda_look(spmv_cuda_state_of(r), vector, bytes, 1, &found);
        *place = found.place;
        if (r->code != CU_SUCCESS)
            return spmv_cuda_run_status(r);
        if (spmv_cuda_run_take_vector(r, name, &found, bytes))
            return SPMV_OK;
        if (r->status != SPMV_OK)
            return spmv_error_within(r->err, CALL, r->status);
        fault = "memory of the host";
    }
    return spmv_error_set(r->err, SPMV_INVALID_ARGUMENT, CALL ": %s is %s; expected memory of the "
                          "device's context, or managed memory, of at least %zu bytes", name, fault,
                          bytes);
}

static spmv_status check_vectors(spmv_run *r, const void *x, const void *y)
{
    const spmv_layout *layout = r->job.layout;
    const size_t x_bytes = r->job.alpha != 0 ? spmv_layout_x_bytes(layout) : 0;
    const size_t y_bytes = spmv_layout_y_bytes(layout);
    spmv_cuda_place x_place = CU_OF_HOST, y_place = CU_OF_HOST;
    spmv_status status = check_vector(r, "x", x, x_bytes, &x_place);

    if (status == SPMV_OK)
        status = check_vector(r, "y", y, y_bytes, &y_place);
    r->x = spmv_cuda_run_area_of(r, r->job.alpha != 0 ? x : NULL, x_place);
    r->y = spmv_cuda_run_area_of(r, y, y_place);
    if (status == SPMV_OK && spmv_do_overlap(x, x_bytes, y, y_bytes))
        status = spmv_error_set(r->err, SPMV_ALIASING, CALL ": x and y overlap");
    if (status == SPMV_OK && (spmv_layout_overlaps(layout, y, y_bytes) ||
                              spmv_csr_overlap(&layout->csr, y, y_bytes) != 0))
        status = spmv_error_set(r->err, SPMV_ALIASING, CALL ": y overlaps the plan's arrays");
    return status;
}

static spmv_status check_capture(const spmv_run *r, const spmv_launch_list *list)
{
    const spmv_step *step = spmv_launch_list_host_step(list);

    if (step == NULL)
        return SPMV_OK;
    return spmv_error_set(
        r->err, SPMV_UNSUPPORTED,
        CALL ": the stream is being captured, but step "
             "'%.64s' of %.64s runs on the host, for which a graph cannot wait. Emit the "
             "target with that step on the device (in methods that have it, "
             "repair = \"device\"), take another method, or enqueue outside of captures",
        step->name, r->p->module->name);
}

/* ---- running ------------------------------------------------------------------------------- */

/* Lets the stream wait for commands that another enqueue left in a pooled slot. */
static void follow_slot(spmv_cuda_run *run)
{
    const spmv_cuda_slot *slot = spmv_cuda_slot_of(&run->base);

    if (slot->is_pending)
        spmv_cuda_run_check(&run->base, spmv_cuda_state_of(&run->base)->api.StreamWaitEvent(
                                            run->stream, slot->done, 0));
}

static void wait_for(spmv_cuda_run *run, uint32_t count, const spmv_cuda_event *event)
{
    spmv_run *r = &run->base;

    for (uint32_t i = 0; i < count && !spmv_run_is_failed(r); i++)
        r->code = spmv_cuda_state_of(r)->api.StreamWaitEvent(run->stream, event[i], 0);
}

/* Records the event that a pooled slot's next user waits for, even if not everything was
 * started. */
static void leave_running(spmv_cuda_run *run)
{
    const spmv_cuda_state *state = spmv_cuda_state_of(&run->base);
    spmv_cuda_slot *slot = spmv_cuda_slot_of(&run->base);
    const spmv_cuda_result code = state->api.EventRecord(slot->done, run->stream);

    slot->is_pending = 1;
    if (code == CU_SUCCESS)
        return;
    spmv_cuda_settle(state, run->stream);
    slot->is_pending = 0;
    spmv_cuda_run_check(&run->base, code);
}

/* Whether the multiplication needs a slot: for its workspace, or for a host step. */
static int needs_slot(const spmv_run *r, const spmv_launch_list *list)
{
    return r->job.layout->workspace_bytes > 0 || r->job.layout->part_count > 0 ||
           spmv_launch_list_host_step(list) != NULL;
}

/* The run has a slot, or needs none. */
static void run_steps(spmv_cuda_run *run, const spmv_launch_list *list,
                      const spmv_enqueue_options *options, int is_captured)
{
    spmv_run *r = &run->base;
    const spmv_cuda_api *api = &spmv_cuda_state_of(r)->api;
    const int is_pooled = r->slot != NULL && run->kind == CU_POOLED;
    spmv_cuda_event ended = NULL;

    if (options->event != NULL)
        spmv_cuda_run_check(r, api->EventCreate(&ended, CU_EVENT_DISABLE_TIMING));
    wait_for(run, options->wait_count, (const spmv_cuda_event *)options->wait);
    if (!spmv_run_is_failed(r) && is_pooled)
        follow_slot(run);
    if (!spmv_run_is_failed(r))
        spmv_run_steps(r, list);
    if (!spmv_run_is_failed(r) && r->y_is_with_host)
        spmv_run_send_y(r);
    if (is_pooled)
        leave_running(run);
    else if (!is_captured)
        ((spmv_cuda_plan *)r->p)->has_unmarked = 1;
    if (!spmv_run_is_failed(r) && ended != NULL)
        spmv_cuda_run_check(r, api->EventRecord(ended, run->stream));
    if (!spmv_run_is_failed(r) && ended != NULL)
        *(spmv_cuda_event *)options->event = ended;
    else if (ended != NULL)
        api->EventDestroy(ended);
}

/* The context is current. */
static spmv_status enqueue(spmv_cuda_run *run, void *x, void *y,
                           const spmv_enqueue_options *options)
{
    spmv_run *r = &run->base;
    spmv_launch_list list;
    int is_captured = 0;
    spmv_status status = options->queue != NULL ? check_queue(run) : SPMV_OK;

    if (status == SPMV_OK)
        status = check_vectors(r, x, y);
    if (status == SPMV_OK)
        status = spmv_launch_list_make(r->p->module, &r->job, &list);
    if (status != SPMV_OK)
        return status;
    r->code = spmv_cuda_is_captured(spmv_cuda_state_of(r), run->stream, &is_captured);
    if (spmv_run_is_failed(r))
        return spmv_cuda_run_status(r);
    if (is_captured && (status = check_capture(r, &list)) != SPMV_OK)
        return status;
    if (options->event != NULL)
        spmv_cuda_relax(spmv_cuda_state_of(r), &run->scope);
    if (needs_slot(r, &list)) {
        status = spmv_cuda_slots_take(run, spmv_launch_list_host_step(&list) != NULL, is_captured);
        if (status != SPMV_OK)
            return spmv_error_within(r->err, CALL, status);
    }
    if (is_captured)             /* not a race: no thread may update values now */
        ((spmv_cuda_plan *)r->p)->has_graphs = 1;
    if (r->y.shared != NULL)
        r->job.y = y;
    run_steps(run, &list, options, is_captured);
    if (r->slot != NULL)
        spmv_cuda_slots_leave(run);
    return spmv_cuda_run_status(r);
}

spmv_status spmv_cuda_plan_enqueue(void *plan_state, const spmv_job *job, void *x, void *y,
                                   const spmv_enqueue_options *options)
{
    spmv_device_plan *p = plan_state;
    const spmv_cuda_state *state = p->state;
    const spmv_cuda_stream stream = options->queue != NULL ? (spmv_cuda_stream)options->queue
                                                           : state->stream;
    spmv_error err = { SPMV_OK, "" };
    spmv_cuda_run run = { .base = { .p = p, .job = *job, .err = &err }, .stream = stream };
    spmv_status status = spmv_cuda_run_enter_lightly(&run);

    if (status == SPMV_OK)
        status = enqueue(&run, x, y, options);
    spmv_cuda_run_leave(&run.base, &run.scope);
    return spmv_cuda_run_report(CALL, status, &err, options->err);
}
