/* opencl_steps.c: the steps of a multiplication on an OpenCL device: kernels, and between them host
 * steps, which get y and the parts of the workspace that they say they use, in memory of the host;
 * what they write goes back. */
#include "opencl_run.h"

#include "clock.h"
#include "steps.h"

#include <string.h>

/* ---- kernels ------------------------------------------------------------------------------- */

static int64_t integer_of(const ocl_run *r, ocl_binding b)
{
    const spmv_layout *layout = &r->p->plan->layout;

    switch (b.source) {
    case FROM_ROWS: return layout->csr.rows;
    case FROM_COLS: return layout->csr.cols;
    case FROM_NNZ: return layout->csr.nnz;
    case FROM_BASE: return layout->csr.base;
    case FROM_NUMBER: return layout->number[b.index];
    default: return 0;
    }
}

static double real_of(const ocl_run *r, ocl_binding b)
{
    return b.source == FROM_ALPHA ? r->job.alpha
           : b.source == FROM_BETA ? r->job.beta : (double)integer_of(r, b);
}

static ocl_area area_of(const ocl_run *r, ocl_binding b)
{
    switch (b.source) {
    case FROM_CSR: return r->p->csr[b.index];
    case FROM_ARRAY: return r->p->array[b.index];
    case FROM_PART: return r->lane->part[b.index];
    case FROM_X: return r->x;
    case FROM_Y: return r->y;
    default: return (ocl_area){ NULL, NULL };
    }
}

static ocl_int set_argument(const ocl_run *r, ocl_kernel kernel, ocl_uint index,
                            spmv_argument_kind kind, ocl_binding b)
{
    const ocl_api *api = &r->p->state->api;
    const ocl_area area = area_of(r, b);
    const int32_t i32 = (int32_t)integer_of(r, b);
    const int64_t i64 = integer_of(r, b);
    const float f32 = (float)real_of(r, b);
    const double f64 = real_of(r, b);
    const struct {
        const void *value;
        size_t bytes;
    } values[] = {
        [SPMV_ARGUMENT_READ] = { &area.buffer, sizeof area.buffer },
        [SPMV_ARGUMENT_READ_WRITE] = { &area.buffer, sizeof area.buffer },
        [SPMV_ARGUMENT_I32] = { &i32, sizeof i32 },
        [SPMV_ARGUMENT_I64] = { &i64, sizeof i64 },
        [SPMV_ARGUMENT_F32] = { &f32, sizeof f32 },
        [SPMV_ARGUMENT_F64] = { &f64, sizeof f64 },
    };

    if (area.shared != NULL)
        return api->SetKernelArgSVMPointer(kernel, index, area.shared);
    return api->SetKernelArg(kernel, index, values[kind].bytes, values[kind].value);
}

/* By the device's clock; negative: the queue does not tell. */
static double event_seconds(const ocl_state *s, ocl_event event)
{
    uint64_t start = 0, end = 0;

    if (s->api.GetEventProfilingInfo(event, OCL_PROFILING_COMMAND_START, 8, &start, NULL) !=
            OCL_SUCCESS ||
        s->api.GetEventProfilingInfo(event, OCL_PROFILING_COMMAND_END, 8, &end, NULL) !=
            OCL_SUCCESS || end < start)
        return -1;
    return (double)(end - start) * 1e-9;
}

static void launch_kernel(ocl_run *r, int32_t k, const spmv_step *step)
{
    const ocl_state *s = r->p->state;
    const spmv_kernel *kernel = &r->p->plan->module->program->kernels[k];
    const size_t group = (size_t)kernel->work_group_size;
    const size_t global = (size_t)step->grid * group;
    const double start = r->time != NULL ? spmv_seconds_now() : 0;
    ocl_event event = NULL;
    double seconds;

    for (int32_t i = 0; i < kernel->argument_count && r->code == OCL_SUCCESS; i++)
        r->code = set_argument(r, r->lane->kernel[k], (ocl_uint)i, kernel->arguments[i].kind,
                               r->p->binding[k][i]);
    if (r->code == OCL_SUCCESS)
        r->code = s->api.EnqueueNDRangeKernel(r->queue, r->lane->kernel[k], 1, NULL, &global,
                                              &group, OCL_WAITS(r), OCL_EVENT(r, &event));
    ocl_run_follow(r, event);
    if (r->time == NULL)
        return;
    ocl_run_wait(r);
    seconds = r->code == OCL_SUCCESS ? event_seconds(s, r->last) : 0;
    ocl_run_note(r, step->name, seconds >= 0 ? seconds : spmv_seconds_now() - start);
}

/* ---- host steps ---------------------------------------------------------------------------- */

static void run_host_step(ocl_run *r, const spmv_step *step)
{
    const spmv_layout *layout = &r->p->plan->layout;
    const int device_has_y = !r->y_is_home;
    double start;
    spmv_job job;

    ocl_run_wait(r);
    if (layout->host_y && device_has_y)
        ocl_run_bring_y(r);
    ocl_run_move_parts(r, SPMV_HOST_READS, 1);
    if (r->code != OCL_SUCCESS)
        return;
    job = r->job;
    job.workspace = r->lane->workspace;
    start = spmv_seconds_now();
    if (spmv_steps_run(&job, step, 1, r->p->plan->threads) != SPMV_OK)
        r->code = OCL_OUT_OF_RESOURCES;
    ocl_run_note(r, step->name, spmv_seconds_now() - start);
    ocl_run_move_parts(r, SPMV_HOST_WRITES, 0);
    if (device_has_y && !(layout->host_y & SPMV_HOST_WRITES) && !ocl_run_y_is_shared(r))
        r->y_is_home = 0;        /* only read */
}

/* ---- steps --------------------------------------------------------------------------------- */

/* The kernel of that name; -1: none. */
static int32_t find_kernel(const spmv_program *program, const char *name)
{
    for (int32_t k = 0; k < program->kernel_count; k++)
        if (strcmp(program->kernels[k].name, name) == 0)
            return k;
    return -1;
}

spmv_status ocl_run_steps(ocl_run *r)
{
    const spmv_module *module = r->p->plan->module;
    spmv_step step[SPMV_MAX_STEPS];
    const int32_t count = module->ops->launches(&r->job, step);

    if (count < 0 || count > SPMV_MAX_STEPS)
        return SPMV_ABI_MISMATCH;
    for (int32_t i = 0; i < count && r->code == OCL_SUCCESS; i++) {
        const int32_t k = step[i].run == NULL ? find_kernel(module->program, step[i].name) : 0;

        if (step[i].grid < 0 || k < 0)
            return SPMV_ABI_MISMATCH;
        r->doing = step[i].name;
        if (step[i].grid > 0 && step[i].run == NULL) {
            if (r->y_is_home)
                ocl_run_send_y(r);
            launch_kernel(r, k, &step[i]);
        } else if (step[i].grid > 0) {
            run_host_step(r, &step[i]);
        }
    }
    return SPMV_OK;
}
