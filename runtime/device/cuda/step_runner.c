/* cuda/step_runner.c: the steps of a multiplication on a CUDA device: kernels, and between them
 * host steps, which get y and the parts of the workspace that they say they use, in memory of the
 * host; what they write goes back. */
#include "runtime/device/cuda/run.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/execute/step_runner.h"

/* ---- kernels ------------------------------------------------------------------------------- */

static spmv_cuda_pointer pointer_of(const spmv_cuda_run *r, spmv_binding b)
{
    switch (b.source) {
    case SPMV_FROM_CSR: return r->p->csr[b.index].at;
    case SPMV_FROM_ARRAY: return r->p->array[b.index].at;
    case SPMV_FROM_PART: return r->slot->part[b.index].at;
    case SPMV_FROM_X: return r->x;
    case SPMV_FROM_Y: return r->y;
    default: return 0;
    }
}

typedef union argument_value {
    spmv_scalar scalar;
    spmv_cuda_pointer pointer;
} argument_value;

static void start_kernel(spmv_cuda_run *r, int32_t k, const spmv_step *step)
{
    const spmv_kernel *kernel = &r->p->plan->module->program->kernels[k];
    argument_value value[SPMV_MAX_ARGUMENTS];
    void *argument[SPMV_MAX_ARGUMENTS];

    for (int32_t i = 0; i < kernel->argument_count; i++) {
        const spmv_binding binding = r->p->bindings[k][i];

        if (spmv_argument_value(&r->job, binding, kernel->arguments[i].kind, &value[i].scalar) == 0)
            value[i].pointer = pointer_of(r, binding);
        argument[i] = &value[i];
    }
    spmv_cuda_run_check(r, r->p->state->api.LaunchKernel(r->p->kernel[k], (unsigned)step->grid, 1,
                                                         1, (unsigned)kernel->work_group_size, 1, 1,
                                                         0, r->stream, argument, NULL));
}

/* By the device's clock or, where that does not tell, the host's. */
static double seconds_of(const spmv_cuda_run *r, double start)
{
    float milliseconds = 0;

    if (!spmv_cuda_run_is_failed(r) &&
        r->p->state->api.EventElapsedTime(&milliseconds, r->start, r->stop) == CU_SUCCESS)
        return (double)milliseconds * 1e-3;
    return spmv_seconds_now() - start;
}

static void launch_kernel(spmv_cuda_run *r, int32_t k, const spmv_step *step)
{
    const spmv_cuda_api *api = &r->p->state->api;
    const double start = spmv_seconds_now();

    if (step->grid > r->p->state->largest_grid) {
        r->status =
            spmv_error_set(r->err, SPMV_UNSUPPORTED,
                           "%.64s takes %lld work-groups of this "
                           "matrix; '%.80s' launches %lld at most. Take a target with larger "
                           "work-groups",
                           step->name, (long long)step->grid, r->p->state->name,
                           (long long)r->p->state->largest_grid);
        return;
    }
    if (r->times.time == NULL) {
        start_kernel(r, k, step);
        return;
    }
    spmv_cuda_run_check(r, api->EventRecord(r->start, r->stream));
    if (!spmv_cuda_run_is_failed(r))
        start_kernel(r, k, step);
    if (!spmv_cuda_run_is_failed(r))
        spmv_cuda_run_check(r, api->EventRecord(r->stop, r->stream));
    spmv_cuda_run_wait(r);
    spmv_times_note(&r->times, step->name, seconds_of(r, start));
}

/* ---- host steps ---------------------------------------------------------------------------- */

static void run_host_step(spmv_cuda_run *r, const spmv_step *step)
{
    const int32_t host_y = r->job.layout->host_y;
    const int device_has_y = !r->y_is_home;
    double start;
    spmv_job job;

    if (host_y && device_has_y)
        spmv_cuda_run_bring_y(r);
    spmv_cuda_run_move_parts(r, SPMV_HOST_READS, 1);
    spmv_cuda_run_wait(r);
    if (spmv_cuda_run_is_failed(r))
        return;
    job = r->job;
    job.workspace = r->slot->workspace;
    start = spmv_seconds_now();
    r->status = spmv_steps_run(&job, step, 1, &r->p->plan->threads);
    spmv_times_note(&r->times, step->name, spmv_seconds_now() - start);
    spmv_cuda_run_move_parts(r, SPMV_HOST_WRITES, 0);
    if (device_has_y && !(host_y & SPMV_HOST_WRITES))
        r->y_is_home = 0;        /* only read */
}

/* ---- steps --------------------------------------------------------------------------------- */

void spmv_cuda_run_steps(spmv_cuda_run *r, const spmv_launch_list *list)
{
    for (int32_t i = 0; i < list->count && !spmv_cuda_run_is_failed(r); i++) {
        const spmv_launch *launch = &list->launch[i];

        r->doing = launch->step.name;
        if (launch->kernel == SPMV_HOST_STEP) {
            run_host_step(r, &launch->step);
            continue;
        }
        if (r->y_is_home)
            spmv_cuda_run_send_y(r);
        if (!spmv_cuda_run_is_failed(r))
            launch_kernel(r, launch->kernel, &launch->step);
    }
}
