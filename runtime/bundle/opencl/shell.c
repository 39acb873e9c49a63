/* shell.c: how an OpenCL bundle completes the backend: OpenCL's functions are linked, the queue is
 * the caller's, and programs are built from their texts. */
#include "runtime/base/debug.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/device/opencl/enqueue.h"
#include "runtime/device/opencl/execute.h"
#include "runtime/device/opencl/memory.h"
#include "runtime/device/opencl/open.h"
#include "runtime/device/opencl/program.h"
#include "runtime/device/opencl/subgroups.h"
#include "runtime/device/opencl/turns.h"

#include <string.h>

/* ---- the device ---------------------------------------------------------------------------- */

/* The functions that the program is linked with. */
static spmv_opencl_api spmv_opencl_api_linked(void)
{
    spmv_opencl_api api;

    memset(&api, 0, sizeof api);
#define TAKE(result, name, parameters) api.name = cl##name;
    OCL_FUNCTIONS(TAKE)
#ifdef CL_VERSION_2_0
    OCL_SHARING_FUNCTIONS(TAKE)
#endif
#ifdef CL_VERSION_2_1
    OCL_SUBGROUP_FUNCTIONS(TAKE)
#endif
#undef TAKE
    return api;
}

spmv_status spmv_opencl_open(spmv_opencl_state *state, spmv_opencl_queue queue, const char *wanted,
                             spmv_error *err)
{
    state->api = spmv_opencl_api_linked();
    return spmv_opencl_take_queue(state, queue, wanted, err);
}

void spmv_opencl_api_close(spmv_opencl_api *api)
{
    (void)api;
}

void spmv_debug_line(const char *text)
{
    (void)text;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* The program may lend its memory to the device at any time, so a matrix has no memory that takes
 * turns. */
spmv_status spmv_opencl_sharing_choose(spmv_opencl_state *state, spmv_error *err)
{
    const spmv_opencl_sharing most = spmv_opencl_offered(state);

    (void)err;
    state->sharing = state->is_unified && most != OCL_COARSE ? most : OCL_SEPARATE;
    return SPMV_OK;
}

spmv_allocation *spmv_opencl_turns_create(void)
{
    return (spmv_allocation *)spmv_memory_alloc_zeroed(sizeof(spmv_allocation));
}

int spmv_opencl_turns_begin(spmv_opencl_state *state, const spmv_allocation *shared)
{
    (void)state;
    (void)shared;
    return 1;
}

void spmv_opencl_turns_destroy(spmv_allocation *shared)
{
    spmv_memory_free(shared);
}

spmv_status spmv_opencl_slot_lend(spmv_device_plan *p, spmv_slot *slot, spmv_error *err)
{
    (void)p;
    (void)slot;
    (void)err;
    return SPMV_OK;
}

/* A step of the CPU takes y of the caller from the device, and gives it back. */

void spmv_opencl_run_lend(spmv_run *run, const void *memory)
{
    spmv_opencl_run *r = (spmv_opencl_run *)run;
    const spmv_opencl_state *state = spmv_opencl_state_of(run);
    spmv_opencl_event event = NULL;

    if (run->code != OCL_SUCCESS || memory != run->job.y || state->sharing == OCL_SYSTEM)
        return;
    run->code = state->api.EnqueueSVMUnmap(r->queue, run->job.y, OCL_WAITS(r),
                                           OCL_EVENT(r, &event));
    spmv_opencl_follow(r, event);
}

void spmv_opencl_run_take_back(spmv_run *run, const void *memory)
{
    spmv_opencl_run *r = (spmv_opencl_run *)run;
    const spmv_opencl_state *state = spmv_opencl_state_of(run);
    spmv_opencl_event event = NULL;

    if (run->code != OCL_SUCCESS || memory != run->job.y || state->sharing == OCL_SYSTEM)
        return;
    run->code = state->api.EnqueueSVMMap(r->queue, 1, OCL_MAP_READ | OCL_MAP_WRITE, run->job.y,
                                         spmv_layout_y_bytes(run->job.layout), OCL_WAITS(r),
                                         OCL_EVENT(r, &event));
    spmv_opencl_follow(r, event);
}

/* ---- programs ------------------------------------------------------------------------------ */

spmv_status spmv_opencl_program_build(const spmv_opencl_state *state, const spmv_module *module,
                                      spmv_opencl_program *program, spmv_error *err)
{
    const spmv_status status = spmv_opencl_build_text(state, module, program, err);

    return status == SPMV_OK ? spmv_opencl_check_subgroups(state, module, *program, err) : status;
}

/* ---- multiplications ----------------------------------------------------------------------- */

/* The functions of a bundle enqueue. */
spmv_status spmv_opencl_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                                     int32_t *count)
{
    (void)plan_state;
    (void)job;
    (void)time;
    (void)count;
    return SPMV_UNSUPPORTED;
}

/* Checks that the device and the headers have shared virtual memory. */
static spmv_status check_sharing(const spmv_opencl_state *s, spmv_error *err)
{
    if (s->api.SetKernelArgSVMPointer == NULL || s->api.EnqueueSVMMap == NULL)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "compiled with headers of OpenCL 1; shared virtual memory needs "
                              "CL_TARGET_OPENCL_VERSION to be 200 or higher");
    if (s->svm_capabilities == 0)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "the device '%.60s' has no shared virtual memory; give x and y as "
                              "cl_mem", s->base.name);
    return SPMV_OK;
}

/* Sets x and y of the run to those of the job. */
static void share_vectors(spmv_run *r)
{
    if (r->job.alpha != 0)
        memcpy(&r->x.shared, &r->job.x, sizeof r->job.x);      /* kernels only read it */
    r->y.shared = r->job.y;
}

/* spmv_opencl_plan_enqueue with x and y of the job, in shared virtual memory. time, which may be
 * NULL, is as for spmv_backend.execute: then it waits for each step. */
static spmv_status enqueue_shared(void *plan_state, const spmv_job *job,
                                  const spmv_enqueue_options *options, spmv_step_time *time,
                                  int32_t *count)
{
    spmv_device_plan *p = (spmv_device_plan *)plan_state;
    spmv_opencl_run run;
    spmv_status status = check_sharing((const spmv_opencl_state *)p->state, options->err);

    if (status == SPMV_OK)
        status = spmv_opencl_enqueue_begin(p, job, options, &run);
    if (status != SPMV_OK)
        return status;
    share_vectors(&run.base);
    run.base.times.time = time;
    status = spmv_opencl_enqueue_steps(&run, options);
    if (count != NULL)
        *count = status == SPMV_OK ? run.base.times.count : 0;
    return status;
}
