/* opencl/run.c: see opencl/run.h. */
#include "runtime/device/opencl/run.h"

#include "runtime/base/clock.h"
#include "runtime/base/debug.h"
#include "runtime/device/opencl/memory.h"

/* ---- commands ------------------------------------------------------------------------------ */

void spmv_opencl_follow(spmv_opencl_run *r, spmv_opencl_event event)
{
    if (event == NULL)
        return;
    if (r->last != NULL)
        spmv_opencl_state_of(&r->base)->api.ReleaseEvent(r->last);
    r->last = event;
}

void spmv_opencl_run_write(spmv_run *run, void *buffer, const void *data, size_t bytes)
{
    spmv_opencl_run *r = (spmv_opencl_run *)run;
    spmv_opencl_event event = NULL;

    if (run->code != OCL_SUCCESS || bytes == 0)
        return;
    run->code = spmv_opencl_state_of(run)->api.EnqueueWriteBuffer(
        r->queue, (spmv_opencl_memory)buffer, 1, 0, bytes, data, OCL_WAITS(r),
        OCL_EVENT(r, &event));
    spmv_opencl_follow(r, event);
}

void spmv_opencl_run_read(spmv_run *run, void *data, void *buffer, size_t bytes)
{
    spmv_opencl_run *r = (spmv_opencl_run *)run;
    spmv_opencl_event event = NULL;

    if (run->code != OCL_SUCCESS || bytes == 0)
        return;
    run->code = spmv_opencl_state_of(run)->api.EnqueueReadBuffer(
        r->queue, (spmv_opencl_memory)buffer, 1, 0, bytes, data, OCL_WAITS(r),
        OCL_EVENT(r, &event));
    spmv_opencl_follow(r, event);
}

void spmv_opencl_run_wait(spmv_run *run)
{
    const spmv_opencl_run *r = (const spmv_opencl_run *)run;
    const spmv_opencl_api *api = &spmv_opencl_state_of(run)->api;

    if (run->code == OCL_SUCCESS)
        run->code = r->last != NULL ? api->WaitForEvents(1, &r->last) : api->Finish(r->queue);
}

void spmv_opencl_run_wait_for(spmv_opencl_run *r, spmv_opencl_uint count,
                              const spmv_opencl_event *event)
{
    spmv_opencl_event marker = NULL;

    if (r->base.code != OCL_SUCCESS || count == 0)
        return;
    r->base.code = spmv_opencl_state_of(&r->base)->api.EnqueueMarkerWithWaitList(r->queue, count,
                                                                                 event, &marker);
    spmv_opencl_follow(r, marker);
}

int spmv_opencl_event_is_over(const spmv_opencl_state *state, spmv_opencl_event event)
{
    spmv_opencl_int status = 1;  /* 0: complete; less: failed */

    return state->api.GetEventInfo(event, OCL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                   &status, NULL) == OCL_SUCCESS && status <= 0;
}

/* ---- kernels ------------------------------------------------------------------------------- */

static spmv_opencl_int set_argument(const spmv_run *r, spmv_opencl_kernel kernel,
                                    spmv_opencl_uint index, spmv_argument_kind kind,
                                    spmv_binding b)
{
    const spmv_opencl_api *api = &spmv_opencl_state_of(r)->api;
    const spmv_area area = spmv_run_area(r, b);
    spmv_scalar value;
    const size_t bytes = spmv_argument_value(&r->job, b, kind, &value);

    if (bytes > 0)
        return api->SetKernelArg(kernel, index, bytes, &value);
    if (area.shared != NULL)
        return api->SetKernelArgSVMPointer(kernel, index, area.shared);
    return api->SetKernelArg(kernel, index, sizeof area.buffer, &area.buffer);
}

/* The duration by the device's clock. Negative: the queue does not profile. */
static double event_seconds(const spmv_opencl_api *api, spmv_opencl_event event)
{
    uint64_t start = 0, end = 0;

    if (api->GetEventProfilingInfo(event, OCL_PROFILING_COMMAND_START, 8, &start, NULL) !=
            OCL_SUCCESS ||
        api->GetEventProfilingInfo(event, OCL_PROFILING_COMMAND_END, 8, &end, NULL) !=
            OCL_SUCCESS || end < start)
        return -1;
    return (double)(end - start) * 1e-9;
}

/* Waits for the kernel that began at time `start`, and notes its duration. */
static void note_kernel(spmv_run *run, const char *name, double start)
{
    const spmv_opencl_run *r = (const spmv_opencl_run *)run;
    double seconds;

    spmv_opencl_run_wait(run);
    seconds = run->code == OCL_SUCCESS
                  ? event_seconds(&spmv_opencl_state_of(run)->api, r->last) : 0;
    spmv_times_note(&run->times, name, seconds >= 0 ? seconds : spmv_seconds_now() - start);
}

void spmv_opencl_run_launch(spmv_run *run, int32_t k, const spmv_step *step)
{
    spmv_opencl_run *r = (spmv_opencl_run *)run;
    const spmv_opencl_api *api = &spmv_opencl_state_of(run)->api;
    const spmv_kernel *kernel = &run->p->module->program->kernels[k];
    const spmv_opencl_kernel object = spmv_opencl_slot_of(run)->kernel[k];
    const size_t group = (size_t)kernel->work_group_size;
    const size_t global = (size_t)step->grid * group;
    const double start = run->times.time != NULL ? spmv_seconds_now() : 0;
    spmv_opencl_event event = NULL;

    for (int32_t i = 0; i < kernel->argument_count && run->code == OCL_SUCCESS; i++)
        run->code = set_argument(run, object, (spmv_opencl_uint)i, kernel->arguments[i].kind,
                                 run->p->bindings[k][i]);
    if (run->code == OCL_SUCCESS)
        run->code = api->EnqueueNDRangeKernel(r->queue, object, 1, NULL, &global, &group,
                                              OCL_WAITS(r), OCL_EVENT(r, &event));
    spmv_opencl_follow(r, event);
    if (run->times.time != NULL)
        note_kernel(run, step->name, start);
}

/* ---- status -------------------------------------------------------------------------------- */

spmv_status spmv_opencl_run_status(const spmv_run *r)
{
    spmv_error own;
    char doing[SPMV_DOING_SIZE];

    if (r->status != SPMV_OK || r->code == OCL_SUCCESS)
        return r->status;
    spmv_run_doing(r, doing);
    spmv_opencl_failed(r->code, doing, &own);
    /* For a command that ran, OUT_OF_RESOURCES seldom means a lack of memory. */
    if (r->code == OCL_OUT_OF_RESOURCES)
        own.status = SPMV_DEVICE_FAILED;
    if (r->err != NULL)
        *r->err = own;
    spmv_debug_line(own.text);
    return own.status;
}
