/* opencl/enqueue.c: an asynchronous multiplication on an OpenCL device. Its vectors are buffers of
 * the caller or, in a bundle, shared memory. The caller gets the event of the last command; the
 * slot keeps the event until that command has ended. */
#include "runtime/device/opencl/enqueue.h"

#include "runtime/base/error.h"
#include "runtime/device/opencl/run.h"

#include <string.h>

/* Whether `buffer` is a buffer of this context and large enough. */
static int is_buffer(const spmv_opencl_state *s, spmv_opencl_memory buffer, size_t bytes)
{
    spmv_opencl_context context = NULL;
    size_t size = 0;

    return s->api.GetMemObjectInfo(buffer, OCL_MEM_CONTEXT, sizeof context, &context, NULL) ==
               OCL_SUCCESS &&
           s->api.GetMemObjectInfo(buffer, OCL_MEM_SIZE, sizeof size, &size, NULL) == OCL_SUCCESS &&
           context == s->context && size >= bytes;
}

/* Whether `queue` belongs to this context and device. */
static int is_queue(const spmv_opencl_state *s, spmv_opencl_queue queue,
                    spmv_opencl_bits *properties)
{
    spmv_opencl_context context = NULL;
    spmv_opencl_device device = NULL;

    return s->api.GetCommandQueueInfo(queue, OCL_QUEUE_CONTEXT, sizeof context, &context, NULL) ==
               OCL_SUCCESS &&
           s->api.GetCommandQueueInfo(queue, OCL_QUEUE_DEVICE, sizeof device, &device, NULL) ==
               OCL_SUCCESS &&
           s->api.GetCommandQueueInfo(queue, OCL_QUEUE_PROPERTIES, sizeof *properties, properties,
                                      NULL) == OCL_SUCCESS &&
           context == s->context && device == s->device;
}

static spmv_status check_vector(const spmv_run *r, const char *name, void *vector,
                                size_t bytes)
{
    const spmv_opencl_state *s = spmv_opencl_state_of(r);

    if (bytes == 0 || (vector != NULL && is_buffer(s, (spmv_opencl_memory)vector, bytes)))
        return SPMV_OK;
    return spmv_error_set(r->err, SPMV_INVALID_ARGUMENT,
                          SPMV_ENQUEUE_WORD "%s is %s; expected a cl_mem of the "
                               "device's context with at least %zu bytes",
                          name, vector == NULL ? "NULL" : "too short, or of another context",
                          bytes);
}

static spmv_status check_vectors(const spmv_run *r, void *x, void *y)
{
    spmv_status status =
        check_vector(r, "x", x, r->job.alpha != 0 ? spmv_layout_x_bytes(r->job.layout) : 0);

    if (status == SPMV_OK)
        status = check_vector(r, "y", y, spmv_layout_y_bytes(r->job.layout));
    if (status == SPMV_OK && x == y && x != NULL)
        status = spmv_error_set(r->err, SPMV_ALIASING, SPMV_ENQUEUE_WORD "x is y");
    return status;
}

/* Waits, on the device, for commands that another enqueue left in the slot. Commands that have
 * ended are not waited for: if one failed, all commands that wait for it would fail. */
static void follow_slot(spmv_opencl_run *r)
{
    const spmv_opencl_state *s = spmv_opencl_state_of(&r->base);
    spmv_opencl_slot *slot = spmv_opencl_slot_of(&r->base);
    const spmv_opencl_event events[2] = { slot->last, r->last };

    if (slot->last == NULL)
        return;
    if (!spmv_opencl_event_is_over(s, slot->last))
        spmv_opencl_run_wait_for(r, r->last != NULL ? 2 : 1, events);
    if (r->base.code != OCL_SUCCESS)
        return;                  /* commands may still use the slot's memory: the next enqueue waits
                                    for them */
    s->api.ReleaseEvent(slot->last);
    slot->last = NULL;
}

/* Keeps the last event in the slot, and gives it to the caller. */
static void leave_running(spmv_opencl_run *r, spmv_opencl_event *event)
{
    const spmv_opencl_api *api = &spmv_opencl_state_of(&r->base)->api;
    spmv_opencl_slot *slot = spmv_opencl_slot_of(&r->base);
    int *code = &r->base.code;

    /* Without any step there is no command yet. */
    if (r->last == NULL && *code == OCL_SUCCESS)
        *code = api->EnqueueMarkerWithWaitList(r->queue, 0, NULL, &r->last);
    if (*code == OCL_SUCCESS)
        *code = api->Flush(r->queue);
    if (event != NULL && *code == OCL_SUCCESS &&
        (*code = api->RetainEvent(r->last)) == OCL_SUCCESS)
        *event = r->last;
    if (slot->last == NULL)
        slot->last = r->last;
    else if (r->last != NULL)    /* the event of a marker: follow_slot failed */
        api->ReleaseEvent(r->last);
}

spmv_status spmv_opencl_enqueue_begin(spmv_device_plan *p, const spmv_job *job,
                                      const spmv_enqueue_options *options, spmv_opencl_run *run)
{
    const spmv_opencl_state *s = (const spmv_opencl_state *)p->state;

    memset(run, 0, sizeof *run);
    run->base.p = p;
    run->base.job = *job;
    run->base.err = options->err;
    run->queue = s->queue;
    run->properties = s->queue_properties;
    run->is_enqueue = 1;
    if (options->queue == NULL)
        return SPMV_OK;
    run->queue = (spmv_opencl_queue)options->queue;
    if (is_queue(s, run->queue, &run->properties))
        return SPMV_OK;
    return spmv_error_set(options->err, SPMV_INVALID_ARGUMENT,
                          SPMV_ENQUEUE_QUEUE_WORD " is none of the device's context and device");
}

static spmv_status take_slot(spmv_opencl_run *run)
{
    spmv_run *r = &run->base;
    spmv_status status;

    r->slot = spmv_slot_take(r->p, SPMV_SLOT_ANY, run->queue, &status, r->err);
    return status != SPMV_BUSY
               ? status
               : spmv_error_set(r->err, SPMV_BUSY,
                                SPMV_ENQUEUE_WORD "%d multiplications by this " SPMV_PLAN_WORD
                                " are under way; "
                                "expected fewer calls at a time", SPMV_SLOTS - 1);
}

spmv_status spmv_opencl_enqueue_steps(spmv_opencl_run *run, const spmv_enqueue_options *options)
{
    spmv_run *r = &run->base;
    spmv_launch_list list;
    const spmv_status status = take_slot(run);

    if (r->slot == NULL)
        return status;
    spmv_opencl_run_wait_for(run, options->wait_count, (const spmv_opencl_event *)options->wait);
    follow_slot(run);
    if (r->slot->is_with_host)   /* after an error */
        spmv_run_move_parts(r, 0, 0);
    r->status = spmv_launch_list_make(r->p->module, &r->job, &list);
    if (!spmv_run_is_failed(r))
        spmv_run_steps(r, &list);
    if (r->y_is_with_host)
        spmv_run_send_y(r);
    leave_running(run, (spmv_opencl_event *)options->event);
    spmv_slot_give_back(r->p, r->slot);
    return spmv_opencl_run_status(r);
}

spmv_status spmv_opencl_plan_enqueue(void *plan_state, const spmv_job *job, void *x, void *y,
                                     const spmv_enqueue_options *options)
{
    spmv_opencl_run run;
    spmv_status status = spmv_opencl_enqueue_begin((spmv_device_plan *)plan_state, job, options,
                                                   &run);

    if (status != SPMV_OK || (status = check_vectors(&run.base, x, y)) != SPMV_OK)
        return status;
    run.base.x.buffer = job->alpha != 0 ? x : NULL;
    run.base.y.buffer = y;
    return spmv_opencl_enqueue_steps(&run, options);
}
