/* opencl/step_runner.c: the steps of a multiplication on an OpenCL device: kernels, and between
 * them host steps, which get y and the parts of the workspace that they say they use, in memory of
 * the host; what they write goes back. */
#include "runtime/device/opencl/run.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/device/launch_list.h"
#include "runtime/execute/step_runner.h"

/* ---- kernels ------------------------------------------------------------------------------- */

static spmv_opencl_area area_of(const spmv_opencl_run *r, spmv_binding b)
{
    switch (b.source) {
    case SPMV_FROM_CSR: return r->p->csr[b.index];
    case SPMV_FROM_ARRAY: return r->p->array[b.index];
    case SPMV_FROM_PART: return r->slot->part[b.index];
    case SPMV_FROM_X: return r->x;
    case SPMV_FROM_Y: return r->y;
    default: return (spmv_opencl_area){ NULL, NULL };
    }
}

static spmv_opencl_int set_argument(const spmv_opencl_run *r, spmv_opencl_kernel kernel,
                                    spmv_opencl_uint index, spmv_argument_kind kind, spmv_binding b)
{
    const spmv_opencl_api *api = &r->p->state->api;
    const spmv_opencl_area area = area_of(r, b);
    spmv_scalar value;
    const size_t bytes = spmv_argument_value(&r->job, b, kind, &value);

    if (bytes > 0)
        return api->SetKernelArg(kernel, index, bytes, &value);
    if (area.shared != NULL)
        return api->SetKernelArgSVMPointer(kernel, index, area.shared);
    return api->SetKernelArg(kernel, index, sizeof area.buffer, &area.buffer);
}

/* By the device's clock; negative: the queue does not tell. */
static double event_seconds(const spmv_opencl_state *s, spmv_opencl_event event)
{
    uint64_t start = 0, end = 0;

    if (s->api.GetEventProfilingInfo(event, OCL_PROFILING_COMMAND_START, 8, &start, NULL) !=
            OCL_SUCCESS ||
        s->api.GetEventProfilingInfo(event, OCL_PROFILING_COMMAND_END, 8, &end, NULL) !=
            OCL_SUCCESS || end < start)
        return -1;
    return (double)(end - start) * 1e-9;
}

static void launch_kernel(spmv_opencl_run *r, int32_t k, const spmv_step *step)
{
    const spmv_opencl_state *s = r->p->state;
    const spmv_kernel *kernel = &r->p->plan->module->program->kernels[k];
    const size_t group = (size_t)kernel->work_group_size;
    const size_t global = (size_t)step->grid * group;
    const double start = r->times.time != NULL ? spmv_seconds_now() : 0;
    spmv_opencl_event event = NULL;
    double seconds;

    for (int32_t i = 0; i < kernel->argument_count && r->code == OCL_SUCCESS; i++)
        r->code = set_argument(r, r->slot->kernel[k], (spmv_opencl_uint)i,
                               kernel->arguments[i].kind, r->p->bindings[k][i]);
    if (r->code == OCL_SUCCESS)
        r->code = s->api.EnqueueNDRangeKernel(r->queue, r->slot->kernel[k], 1, NULL, &global,
                                              &group, OCL_WAITS(r), OCL_EVENT(r, &event));
    spmv_opencl_run_follow(r, event);
    if (r->times.time == NULL)
        return;
    spmv_opencl_run_wait(r);
    seconds = r->code == OCL_SUCCESS ? event_seconds(s, r->last) : 0;
    spmv_times_note(&r->times, step->name, seconds >= 0 ? seconds : spmv_seconds_now() - start);
}

/* ---- host steps ---------------------------------------------------------------------------- */

static void run_host_step(spmv_opencl_run *r, const spmv_step *step)
{
    const spmv_layout *layout = &r->p->plan->layout;
    const int device_has_y = !r->y_is_home;
    double start;
    spmv_job job;

    spmv_opencl_run_wait(r);
    if (layout->host_y && device_has_y)
        spmv_opencl_run_bring_y(r);
    spmv_opencl_run_move_parts(r, SPMV_HOST_READS, 1);
    if (spmv_opencl_run_is_failed(r))
        return;
    job = r->job;
    job.workspace = r->slot->workspace;
    start = spmv_seconds_now();
    r->status = spmv_steps_run(&job, step, 1, &r->p->plan->threads);
    if (r->status != SPMV_OK)
        spmv_error_set(r->err, r->status, "host step %.64s: %s", step->name,
                       spmv_status_text(r->status));
    spmv_times_note(&r->times, step->name, spmv_seconds_now() - start);
    spmv_opencl_run_move_parts(r, SPMV_HOST_WRITES, 0);
    if (device_has_y && !(layout->host_y & SPMV_HOST_WRITES) && !spmv_opencl_run_y_is_shared(r))
        r->y_is_home = 0;        /* only read */
}

/* ---- steps --------------------------------------------------------------------------------- */

spmv_status spmv_opencl_run_steps(spmv_opencl_run *r)
{
    spmv_launch_list list;
    const spmv_status status = spmv_launch_list_make(r->p->plan->module, &r->job, &list);

    for (int32_t i = 0; status == SPMV_OK && i < list.count && !spmv_opencl_run_is_failed(r); i++) {
        const spmv_launch *launch = &list.launch[i];

        r->doing = launch->step.name;
        if (launch->kernel == SPMV_HOST_STEP) {
            run_host_step(r, &launch->step);
            continue;
        }
        if (r->y_is_home)
            spmv_opencl_run_send_y(r);
        launch_kernel(r, launch->kernel, &launch->step);
    }
    return status;
}
