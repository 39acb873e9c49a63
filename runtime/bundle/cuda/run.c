/* run.c: how a bundle uses a CUDA device: the memory of matrices, and the steps of a
 * multiplication. The device is the current one of the caller's thread. A plan has one slot, so no
 * multiplication allocates or waits, unless it has a step for the CPU. */
#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/bundle/cuda/api.h"
#include "runtime/bundle/cuda/run.h"
#include "runtime/device/backend.h"
#include "runtime/device/device_plan.h"
#include "runtime/device/run.h"

#include <stdio.h>
#include <string.h>

enum { WARP = 32 };

/* An open device. */
typedef struct bundle_state {
    spmv_backend_state base;
    int capability;              /* 10 * major + minor */
    int has_managed;             /* CUDA has managed memory here */
    int is_concurrent;           /* the host may use managed memory while kernels run */
} bundle_state;

typedef struct bundle_plan {
    spmv_device_plan base;
    spmv_launch_function *kernel[SPMV_MAX_KERNELS];
    spmv_slot slot[SPMV_SLOTS];  /* only the first is used */
} bundle_plan;

typedef struct bundle_run {
    spmv_run base;
    spmv_stream stream;
    spmv_cuda_event start, stop; /* of a kernel, in a profile */
} bundle_run;

static spmv_status failed(int code, const char *doing, spmv_error *err)
{
    const spmv_status status = code == SPMV_CUDA_OUT_OF_MEMORY ? SPMV_OUT_OF_MEMORY
                                                               : SPMV_DEVICE_FAILED;

    return spmv_error_set(err, status, "CUDA cannot %s: %s", doing, spmv_cuda_error_text(code));
}

/* ---- the device ---------------------------------------------------------------------------- */

static spmv_status open_device(void *opened, const char *wanted, void *queue, spmv_error *err)
{
    bundle_state *state = (bundle_state *)opened;
    int code =
        spmv_cuda_open(&state->capability, &state->has_managed, &state->is_concurrent);

    (void)wanted;
    (void)queue;
    if (code != SPMV_CUDA_SUCCESS)
        return failed(code, "use the current device", err);
    snprintf(state->base.name, sizeof state->base.name, "CUDA device (sm_%d)", state->capability);
    /* The host will write to managed memory, which kernels must not use meanwhile. */
    if (state->has_managed && !state->is_concurrent)
        code = spmv_cuda_wait_for_all();
    return code == SPMV_CUDA_SUCCESS ? SPMV_OK : failed(code, "wait for the device", err);
}

static void close_device(void *opened)
{
    (void)opened;
}

static int refuses(const void *opened, const spmv_module *module, spmv_text *why)
{
    const bundle_state *state = (const bundle_state *)opened;
    const spmv_program *program = module->program;

    if (program->capability > state->capability) {
        spmv_text_add(why, "the device's compute capability is %d.%d, it needs %d.%d",
                      state->capability / 10, state->capability % 10,
                      (int)program->capability / 10, (int)program->capability % 10);
        return 1;
    }
    if (program->subgroup_size > 1 && program->subgroup_size != WARP) {
        spmv_text_add(why, "the device has no subgroups of %d work-items",
                      (int)program->subgroup_size);
        return 1;
    }
    return 0;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Whether matrices of the module are in managed memory. */
static int is_shared(const bundle_state *state, const spmv_module *module)
{
    return state->has_managed && module->program->memory != SPMV_MEMORY_DISCRETE;
}

static spmv_status alloc_shared(void *opened, size_t bytes, void **out)
{
    bundle_state *state = (bundle_state *)opened;
    spmv_allocation *made = (spmv_allocation *)spmv_memory_alloc_zeroed(sizeof *made);
    void *memory = NULL;
    int code;

    *out = NULL;
    if (made == NULL)
        return SPMV_OUT_OF_MEMORY;
    made->bytes = bytes > 0 ? bytes : 1;
    code = spmv_cuda_allocate(&memory, made->bytes, 1);
    if (code != SPMV_CUDA_SUCCESS) {
        spmv_memory_free(made);
        return failed(code, "allocate managed memory", NULL);
    }
    made->memory = (char *)memory;
    spmv_allocation_registry_add(&state->base.allocations, made);
    *out = memory;
    return SPMV_OK;
}

static int free_shared(void *opened, void *memory)
{
    bundle_state *state = (bundle_state *)opened;
    spmv_allocation *made =
        spmv_allocation_registry_remove(&state->base.allocations, memory);

    if (made == NULL)
        return 0;
    spmv_cuda_release(made->memory);
    spmv_memory_free(made);
    return 1;
}

static spmv_status alloc_layout(void *opened, const spmv_module *module, size_t bytes, void **out)
{
    *out = NULL;
    return is_shared((const bundle_state *)opened, module) ? alloc_shared(opened, bytes, out)
                                                           : SPMV_OK;
}

static spmv_status make_buffer(void *opened, const char *what, size_t bytes, void **buffer,
                               spmv_error *err)
{
    char doing[96];
    int code;

    (void)opened;
    *buffer = NULL;
    code = bytes > 0 ? spmv_cuda_allocate(buffer, bytes, 0) : SPMV_CUDA_SUCCESS;
    if (code == SPMV_CUDA_SUCCESS)
        return SPMV_OK;
    *buffer = NULL;
    snprintf(doing, sizeof doing, "allocate %zu bytes for %.40s", bytes, what);
    return failed(code, doing, err);
}

static void free_buffer(void *opened, void **buffer)
{
    (void)opened;
    if (*buffer != NULL)
        spmv_cuda_release(*buffer);
    *buffer = NULL;
}

static spmv_status place_array(spmv_device_plan *p, const char *what, const void *data,
                               size_t bytes, spmv_area *area, spmv_error *err)
{
    bundle_state *state = (bundle_state *)p->state;
    char doing[96];
    int code;

    if (spmv_allocation_registry_find(&state->base.allocations, data, bytes) != NULL ||
        (is_shared(state, p->module) && spmv_cuda_is_managed(data))) {
        free_buffer(state, &area->buffer);
        memcpy(&area->shared, &data, sizeof data);     /* kernels only read it */
        return SPMV_OK;
    }
    area->shared = NULL;
    if (area->buffer == NULL) {
        const spmv_status status = make_buffer(state, what, bytes, &area->buffer, err);

        if (status != SPMV_OK)
            return status;
    }
    code = spmv_cuda_copy(area->buffer, data, bytes, 1, NULL);
    if (code == SPMV_CUDA_SUCCESS)
        return SPMV_OK;
    snprintf(doing, sizeof doing, "copy %zu bytes of %.40s to the device", bytes, what);
    return failed(code, doing, err);
}

/* Copies, and waits for the copies. */
static spmv_status take_all(spmv_device_plan *p,
                            spmv_status (*take)(spmv_device_plan *p, spmv_error *err),
                            spmv_error *err)
{
    const spmv_status status = take(p, err);
    const int code = spmv_cuda_wait(NULL);

    return status != SPMV_OK || code == SPMV_CUDA_SUCCESS
               ? status : failed(code, "copy the matrix to the device", err);
}

static spmv_status take_values(void *plan_state, spmv_error *err)
{
    return take_all((spmv_device_plan *)plan_state, spmv_device_plan_take_values, err);
}

/* ---- commands ------------------------------------------------------------------------------ */

static void check(spmv_run *r, int code)
{
    if (r->code == SPMV_CUDA_SUCCESS)
        r->code = code;
}

static void write_buffer(spmv_run *r, void *buffer, const void *data, size_t bytes)
{
    if (!spmv_run_is_failed(r) && bytes > 0)
        r->code = spmv_cuda_copy(buffer, data, bytes, 1, ((bundle_run *)r)->stream);
}

static void read_buffer(spmv_run *r, void *data, void *buffer, size_t bytes)
{
    if (!spmv_run_is_failed(r) && bytes > 0)
        r->code = spmv_cuda_copy(data, buffer, bytes, 0, ((bundle_run *)r)->stream);
}

/* Until all is done, and the host may use memory that it shares with the device. */
static void wait_for_commands(spmv_run *r)
{
    const bundle_state *state = (const bundle_state *)r->p->state;
    const int shares = r->p->shares || r->y.shared != NULL;

    if (!spmv_run_is_failed(r))
        r->code = shares && !state->is_concurrent ? spmv_cuda_wait_for_all()
                                                  : spmv_cuda_wait(((bundle_run *)r)->stream);
}

typedef union argument_value {
    spmv_scalar scalar;
    void *pointer;
} argument_value;

static void start_kernel(spmv_run *r, int32_t k, const spmv_step *step)
{
    const spmv_kernel *kernel = &r->p->module->program->kernels[k];
    argument_value value[SPMV_MAX_ARGUMENTS];
    void *argument[SPMV_MAX_ARGUMENTS];

    for (int32_t i = 0; i < kernel->argument_count; i++) {
        const spmv_binding binding = r->p->bindings[k][i];

        if (spmv_argument_value(&r->job, binding, kernel->arguments[i].kind, &value[i].scalar) ==
            0) {
            const spmv_area area = spmv_run_area(r, binding);

            value[i].pointer = area.shared != NULL ? area.shared : area.buffer;
        }
        argument[i] = &value[i];
    }
    check(r, ((bundle_plan *)r->p)->kernel[k]((unsigned)step->grid, ((bundle_run *)r)->stream,
                                              argument));
}

/* Waits for the kernel, and notes its time by the device's clock and the rest of the wait. */
static void note_kernel(bundle_run *run, const char *name, double start)
{
    spmv_run *r = &run->base;
    double seconds = 0, waited;

    check(r, spmv_cuda_event_record(run->stop, run->stream));
    wait_for_commands(r);
    waited = spmv_seconds_now() - start;
    if (!spmv_run_is_failed(r))
        check(r, spmv_cuda_event_seconds(run->start, run->stop, &seconds));
    spmv_times_note(&r->times, name, seconds);
    spmv_times_note(&r->times, "waiting", waited > seconds ? waited - seconds : 0);
}

static void launch(spmv_run *r, int32_t k, const spmv_step *step)
{
    bundle_run *run = (bundle_run *)r;
    const int is_timed = r->times.time != NULL;
    const double start = is_timed ? spmv_seconds_now() : 0;

    if (step->grid > INT32_MAX) {
        r->status = SPMV_UNSUPPORTED;
        return;
    }
    if (is_timed)
        check(r, spmv_cuda_event_record(run->start, run->stream));
    if (!spmv_run_is_failed(r))
        start_kernel(r, k, step);
    if (is_timed && !spmv_run_is_failed(r))
        note_kernel(run, step->name, start);
}

/* ---- plans --------------------------------------------------------------------------------- */

static spmv_status open_slot(spmv_device_plan *p, spmv_slot *slot, spmv_error *err)
{
    (void)p;
    (void)slot;
    (void)err;
    return SPMV_OK;
}

static void close_slot(spmv_device_plan *p, spmv_slot *slot)
{
    (void)p;
    (void)slot;
}

static const spmv_device_ops device_ops = {
    .buffer_make = make_buffer,
    .buffer_free = free_buffer,
    .area_take = place_array,
    .shared_alloc = alloc_shared,
    .shared_free = free_shared,
    .slot_open = open_slot,
    .slot_close = close_slot,
    .write = write_buffer,
    .read = read_buffer,
    .wait = wait_for_commands,
    .launch = launch,
};

/* Finds the kernel's launcher, and loads the kernel: during a capture that is too late. */
static spmv_status find_launcher(bundle_plan *p, int32_t k, spmv_error *err)
{
    const spmv_kernel *kernel = &p->base.module->program->kernels[k];
    const spmv_launcher *found = spmv_launchers;
    char doing[96];
    int code;

    while (found->symbol != NULL && strcmp(found->symbol, kernel->symbol) != 0)
        found++;
    if (found->symbol == NULL)
        return spmv_error_set(err, SPMV_ABI_MISMATCH, "no launcher is called '%.64s'",
                              kernel->symbol);
    p->kernel[k] = found->launch;
    code = found->launch(0, NULL, NULL);
    if (code == SPMV_CUDA_SUCCESS)
        return SPMV_OK;
    snprintf(doing, sizeof doing, "load kernel %.64s", kernel->symbol);
    return failed(code, doing, err);
}

static void destroy_plan(void *plan_state)
{
    bundle_plan *p = (bundle_plan *)plan_state;

    if (p == NULL)
        return;
    spmv_device_plan_clear(&p->base);
    spmv_memory_free(p);
}

static spmv_status create_plan(void *opened, const spmv_module *module, const spmv_layout *layout,
                               const spmv_threads *threads, void **plan_state, spmv_error *err)
{
    bundle_plan *p = (bundle_plan *)spmv_memory_alloc_zeroed(sizeof *p);
    spmv_status status;

    if (p == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                              "no memory for the " SPMV_PLAN_WORD "'s state");
    for (int i = 0; i < SPMV_SLOTS; i++)
        p->base.slot[i] = &p->slot[i];
    status = spmv_device_plan_begin(&p->base, &device_ops, opened, module, layout, threads, err);
    p->base.shares = is_shared((const bundle_state *)opened, module);
    for (int32_t k = 0; k < module->program->kernel_count && status == SPMV_OK; k++)
        status = find_launcher(p, k, err);
    if (status == SPMV_OK)
        status = take_all(&p->base, spmv_device_plan_take_layout, err);
    if (status == SPMV_OK)
        status = spmv_slot_make(&p->base, &p->slot[0], err);
    if (status == SPMV_OK)
        *plan_state = p;
    else
        destroy_plan(p);
    return status;
}

static const spmv_backend cuda_backend = {
    .language = "cuda",
    .state_bytes = sizeof(bundle_state),
    .open = open_device,
    .close = close_device,
    .refuses = refuses,
    .alloc = alloc_layout,
    .free = free_shared,
    .plan_create = create_plan,
    .plan_destroy = destroy_plan,
    .take_values = take_values,
};

const spmv_backend *const spmv_bundle_backend = &cuda_backend;

/* ---- multiplications ----------------------------------------------------------------------- */

/* y is used in place by the CPU, too, if it is in managed memory. */
static void place_vectors(bundle_run *run, const void *x, void *y, int is_for_host)
{
    spmv_run *r = &run->base;

    r->job.x = NULL;
    r->job.y = NULL;
    if (r->job.alpha != 0)
        memcpy(&r->x.buffer, &x, sizeof x);    /* kernels only read it */
    if (is_for_host && spmv_cuda_is_managed(y))
        r->job.y = r->y.shared = y;
    else
        r->y.buffer = y;
}

static void run_steps(bundle_run *run, const spmv_launch_list *list)
{
    spmv_run *r = &run->base;

    spmv_run_steps(r, list);
    if (!spmv_run_is_failed(r) && r->y_is_with_host)
        spmv_run_send_y(r);
}

static void run_profile(bundle_run *run, const spmv_launch_list *list)
{
    spmv_run *r = &run->base;

    check(r, spmv_cuda_event_make(&run->start));
    if (!spmv_run_is_failed(r))
        check(r, spmv_cuda_event_make(&run->stop));
    wait_for_commands(r);
    if (!spmv_run_is_failed(r))
        run_steps(run, list);
    wait_for_commands(r);
    if (run->start != NULL)
        spmv_cuda_event_free(run->start);
    if (run->stop != NULL)
        spmv_cuda_event_free(run->stop);
}

spmv_status spmv_cuda_bundle_run(void *plan_state, const spmv_job *job, spmv_stream stream,
                                 spmv_step_time *time, int32_t *count)
{
    bundle_plan *p = (bundle_plan *)plan_state;
    spmv_launch_list list;
    bundle_run run;
    const spmv_status status = spmv_launch_list_make(p->base.module, job, &list);
    const spmv_step *host_step;

    if (status != SPMV_OK)
        return status;
    host_step = spmv_launch_list_host_step(&list);
    if ((host_step != NULL || time != NULL) && spmv_cuda_is_captured(stream))
        return SPMV_UNSUPPORTED;
    memset(&run, 0, sizeof run);
    run.base.p = &p->base;
    run.base.slot = &p->slot[0];
    run.base.job = *job;
    run.base.times.time = time;
    run.stream = stream;
    place_vectors(&run, job->x, job->y, host_step != NULL);
    if (time != NULL)
        run_profile(&run, &list);
    else
        run_steps(&run, &list);
    if (run.base.status != SPMV_OK)
        return run.base.status;
    if (run.base.code != SPMV_CUDA_SUCCESS)
        return run.base.code == SPMV_CUDA_OUT_OF_MEMORY ? SPMV_OUT_OF_MEMORY : SPMV_DEVICE_FAILED;
    if (count != NULL)
        *count = run.base.times.count;
    return SPMV_OK;
}
