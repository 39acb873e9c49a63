/* opencl_execute.c: one multiplication on an OpenCL device.
 *
 * Every command waits for the one before it: on a queue that keeps its order by itself, else by
 * events. Between kernels a module may list host steps; they get y and the parts of the workspace
 * that they say they use, in memory of the host, and what they write goes back.
 */
#include "opencl_plan.h"

#include "clock.h"
#include "memory.h"
#include "steps.h"
#include "types.h"

#include <string.h>

/* A multiplication while it runs. */
typedef struct ocl_run {
    const ocl_plan *p;
    ocl_lane *lane;
    spmv_job job;                /* y: where the host has it, if anywhere */
    ocl_queue queue;
    ocl_bits properties;         /* the queue's */
    ocl_area x, y;               /* what the device sees of the vectors */
    ocl_event last;              /* of the newest command; NULL where nobody needs it */
    int is_enqueue;              /* nobody waits: `last` must be known */
    int y_is_home;               /* the host has the newest y */
    spmv_step_time *time;        /* SPMV_MAX_STEPS of them, or NULL */
    int32_t count;
    ocl_int code;                /* of the first call that failed */
} ocl_run;

static size_t x_bytes(const ocl_run *r)
{
    const spmv_csr *csr = &r->p->plan->layout.csr;
    return (size_t)csr->cols * spmv_value_bytes(csr->value_type);
}

static size_t y_bytes(const ocl_run *r)
{
    const spmv_csr *csr = &r->p->plan->layout.csr;
    return (size_t)csr->rows * spmv_value_bytes(csr->value_type);
}

/* ---- commands ------------------------------------------------------------------------------ */

/* What a command waits for, and where its event goes. */
#define WAITS(r) (ocl_uint)((r)->last != NULL), (r)->last != NULL ? &(r)->last : NULL
#define EVENT(r, event) (wants_event(r) ? (event) : NULL)

static int wants_event(const ocl_run *r)
{
    return r->is_enqueue || r->time != NULL || r->last != NULL ||
           (r->properties & OCL_QUEUE_OUT_OF_ORDER) != 0;
}

/* A command was enqueued. */
static void follow(ocl_run *r, ocl_event event)
{
    if (event == NULL)
        return;
    if (r->last != NULL)
        r->p->state->api.ReleaseEvent(r->last);
    r->last = event;
}

static void write_buffer(ocl_run *r, ocl_memory buffer, const void *data, size_t bytes)
{
    ocl_event event = NULL;

    if (r->code != OCL_SUCCESS || bytes == 0)
        return;
    r->code = r->p->state->api.EnqueueWriteBuffer(r->queue, buffer, 1, 0, bytes, data, WAITS(r),
                                                  EVENT(r, &event));
    follow(r, event);
}

static void read_buffer(ocl_run *r, ocl_memory buffer, void *data, size_t bytes)
{
    ocl_event event = NULL;

    if (r->code != OCL_SUCCESS || bytes == 0)
        return;
    r->code = r->p->state->api.EnqueueReadBuffer(r->queue, buffer, 1, 0, bytes, data, WAITS(r),
                                                 EVENT(r, &event));
    follow(r, event);
}

/* Until all commands of this multiplication have ended. */
static void wait_for_device(ocl_run *r)
{
    const ocl_api *api = &r->p->state->api;

    if (r->code == OCL_SUCCESS)
        r->code = r->last != NULL ? api->WaitForEvents(1, &r->last) : api->Finish(r->queue);
}

/* All that follows waits for these events. Nothing was enqueued yet. */
static void wait_in_queue(ocl_run *r, ocl_uint count, const ocl_event *event)
{
    ocl_event marker = NULL;

    if (r->code != OCL_SUCCESS || count == 0)
        return;
    r->code = r->p->state->api.EnqueueMarkerWithWaitList(r->queue, count, event, &marker);
    follow(r, marker);
}

/* ---- times --------------------------------------------------------------------------------- */

/* Copies, in a profile: of vectors, and of what host steps use. */
#define TO_DEVICE "to the device"
#define FROM_DEVICE "from the device"

static void note_time(ocl_run *r, const char *name, double seconds)
{
    if (r->time != NULL && r->count < SPMV_MAX_STEPS)
        r->time[r->count++] = (spmv_step_time){ name, seconds };
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
        r->code = s->api.EnqueueNDRangeKernel(r->queue, r->lane->kernel[k], 1, NULL, &global, &group,
                                              WAITS(r), EVENT(r, &event));
    follow(r, event);
    if (r->time == NULL)
        return;
    wait_for_device(r);
    seconds = r->code == OCL_SUCCESS ? event_seconds(s, r->last) : 0;
    note_time(r, step->name, seconds >= 0 ? seconds : spmv_seconds_now() - start);
}

/* ---- host steps ---------------------------------------------------------------------------- */

/* Whether host and device have y in one place. */
static int y_is_shared(const ocl_run *r)
{
    return r->y.shared != NULL;
}

/* Memory that takes turns: from the device, or to it. */
static void lend(ocl_run *r, const void *memory)
{
    if (r->code == OCL_SUCCESS && memory != NULL)
        r->code = ocl_shared_lend(r->p->state, r->queue, memory);
}

static void take_back(ocl_run *r, const void *memory)
{
    if (memory != NULL) {
        const ocl_int code = ocl_shared_return(r->p->state, r->queue, memory);
        r->code = r->code == OCL_SUCCESS ? code : r->code;
    }
}

/* Moves what host steps use of the workspace: with `to_host` what they read, else what they wrote. */
static void move_parts(ocl_run *r, int32_t access, int to_host)
{
    const spmv_layout *layout = &r->p->plan->layout;
    const double start = spmv_seconds_now();
    size_t moved = 0;

    if (r->lane->is_shared) {
        if (to_host)
            take_back(r, r->lane->workspace);
        else
            lend(r, r->lane->workspace);
        return;
    }
    for (int32_t i = 0; i < layout->part_count; i++) {
        const spmv_part *part = &layout->part[i];
        char *data = (char *)r->lane->workspace + part->offset;

        if (!(part->host & access))
            continue;
        if (to_host)
            read_buffer(r, r->lane->part[i].buffer, data, part->bytes);
        else
            write_buffer(r, r->lane->part[i].buffer, data, part->bytes);
        moved += part->bytes;
    }
    if (moved > 0)
        note_time(r, to_host ? FROM_DEVICE : TO_DEVICE, spmv_seconds_now() - start);
}

/* The host is to use y, and the device has the newest. */
static void bring_y_home(ocl_run *r)
{
    const double start = spmv_seconds_now();

    if (y_is_shared(r)) {
        take_back(r, r->y.shared);
    } else {
        if (r->job.y == NULL && r->lane->host_y == NULL &&
            (r->lane->host_y = spmv_memory_alloc(y_bytes(r))) == NULL)
            r->code = OCL_OUT_OF_HOST_MEMORY;
        if (r->job.y == NULL)
            r->job.y = r->lane->host_y;
        read_buffer(r, r->y.buffer, r->job.y, y_bytes(r));
        note_time(r, FROM_DEVICE, spmv_seconds_now() - start);
    }
    r->y_is_home = 1;
}

/* The device is to use y, and the host has the newest. */
static void send_y_away(ocl_run *r)
{
    const double start = spmv_seconds_now();

    if (y_is_shared(r)) {
        lend(r, r->y.shared);
    } else {
        write_buffer(r, r->y.buffer, r->job.y, y_bytes(r));
        note_time(r, TO_DEVICE, spmv_seconds_now() - start);
    }
    if (r->code == OCL_SUCCESS)
        r->y_is_home = 0;
}

static void run_host_step(ocl_run *r, const spmv_step *step)
{
    const spmv_layout *layout = &r->p->plan->layout;
    const int device_has_y = !r->y_is_home;
    double start;
    spmv_job job;

    wait_for_device(r);
    if (layout->host_y && device_has_y)
        bring_y_home(r);
    move_parts(r, SPMV_HOST_READS, 1);
    if (r->code != OCL_SUCCESS)
        return;
    job = r->job;
    job.workspace = r->lane->workspace;
    start = spmv_seconds_now();
    if (spmv_steps_run(&job, step, 1, r->p->plan->threads) != SPMV_OK)
        r->code = OCL_OUT_OF_RESOURCES;
    note_time(r, step->name, spmv_seconds_now() - start);
    move_parts(r, SPMV_HOST_WRITES, 0);
    if (device_has_y && !(layout->host_y & SPMV_HOST_WRITES) && !y_is_shared(r))
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

static spmv_status run_steps(ocl_run *r)
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
        if (step[i].grid > 0 && step[i].run == NULL) {
            if (r->y_is_home)
                send_y_away(r);
            launch_kernel(r, k, &step[i]);
        } else if (step[i].grid > 0) {
            run_host_step(r, &step[i]);
        }
    }
    return SPMV_OK;
}

/* ---- execute ------------------------------------------------------------------------------- */

/* What the device sees of a vector: the vector itself, or the lane's copy. */
static ocl_area see_vector(ocl_run *r, const char *name, const void *vector, size_t bytes,
                           ocl_memory *copy)
{
    ocl_area area = { NULL, NULL };

    if (r->code != OCL_SUCCESS || vector == NULL)
        return area;
    if (ocl_is_shared(r->p->state, vector, bytes)) {
        lend(r, vector);
        if (r->code == OCL_SUCCESS)
            memcpy(&area.shared, &vector, sizeof vector);
        return area;
    }
    if (*copy == NULL && ocl_buffer_make(r->p->state, name, bytes, copy, NULL) != SPMV_OK)
        r->code = OCL_MEM_OBJECT_ALLOCATION_FAILURE;
    area.buffer = *copy;
    return area;
}

static void begin(ocl_run *r)
{
    const double start = spmv_seconds_now();

    r->x = see_vector(r, "x", r->job.alpha != 0 ? r->job.x : NULL, x_bytes(r), &r->lane->x);
    r->y = see_vector(r, "y", r->job.y, y_bytes(r), &r->lane->y);
    if (r->x.buffer != NULL)
        write_buffer(r, r->x.buffer, r->job.x, x_bytes(r));
    if (r->y.buffer != NULL && r->job.beta != 0)
        write_buffer(r, r->y.buffer, r->job.y, y_bytes(r));
    if (r->x.buffer != NULL || r->y.buffer != NULL)
        note_time(r, TO_DEVICE, spmv_seconds_now() - start);
}

static void end(ocl_run *r)
{
    double start;

    /* After an error too: kernels may still be at the memory that goes back. */
    if (r->code != OCL_SUCCESS)
        r->p->state->api.Finish(r->queue);
    wait_for_device(r);
    start = spmv_seconds_now();
    if (!r->y_is_home && r->y.buffer != NULL) {
        read_buffer(r, r->y.buffer, r->job.y, y_bytes(r));
        note_time(r, FROM_DEVICE, spmv_seconds_now() - start);
    }
    if (!r->y_is_home)
        take_back(r, r->y.shared);
    take_back(r, r->x.shared);
}

static spmv_status finish(ocl_run *r, spmv_status status)
{
    return status == SPMV_OK && r->code != OCL_SUCCESS ? ocl_failed(r->code, "multiply", NULL)
                                                       : status;
}

/* What an enqueue left in the lane must end first, and what this one waits for already. */
static void follow_lane(ocl_run *r)
{
    const ocl_event events[2] = { r->lane->last, r->last };

    if (r->lane->last == NULL)
        return;
    wait_in_queue(r, r->last != NULL ? 2 : 1, events);
    r->p->state->api.ReleaseEvent(r->lane->last);
    r->lane->last = NULL;
}

spmv_status ocl_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                             int32_t *count)
{
    ocl_plan *p = (ocl_plan *)plan_state;
    ocl_run r = { .p = p, .job = *job, .queue = p->state->queue,
                  .properties = p->state->queue_properties, .time = time };
    spmv_status status;

    r.lane = ocl_lane_take(p, job->workspace == NULL, r.queue, &status);
    if (r.lane == NULL)
        return status;
    follow_lane(&r);
    begin(&r);
    status = run_steps(&r);
    end(&r);
    if (r.last != NULL)
        p->state->api.ReleaseEvent(r.last);
    ocl_lane_give_back(r.lane);
    if (count != NULL)
        *count = r.count;
    return finish(&r, status);
}

/* ---- enqueue ------------------------------------------------------------------------------- */

/* A buffer of the caller's: of this context, and large enough. */
static int is_buffer(const ocl_state *s, ocl_memory buffer, size_t bytes)
{
    ocl_context context = NULL;
    size_t size = 0;

    return s->api.GetMemObjectInfo(buffer, OCL_MEM_CONTEXT, sizeof context, &context, NULL) ==
               OCL_SUCCESS &&
           s->api.GetMemObjectInfo(buffer, OCL_MEM_SIZE, sizeof size, &size, NULL) == OCL_SUCCESS &&
           context == s->context && size >= bytes;
}

/* A queue of the caller's. */
static int is_queue(const ocl_state *s, ocl_queue queue, ocl_bits *properties)
{
    ocl_context context = NULL;
    ocl_device device = NULL;

    return s->api.GetCommandQueueInfo(queue, OCL_QUEUE_CONTEXT, sizeof context, &context, NULL) ==
               OCL_SUCCESS &&
           s->api.GetCommandQueueInfo(queue, OCL_QUEUE_DEVICE, sizeof device, &device, NULL) ==
               OCL_SUCCESS &&
           s->api.GetCommandQueueInfo(queue, OCL_QUEUE_PROPERTIES, sizeof *properties, properties,
                                      NULL) == OCL_SUCCESS &&
           context == s->context && device == s->device;
}

static spmv_status check_vectors(const ocl_run *r, void *x, void *y)
{
    const ocl_state *s = r->p->state;

    if (r->job.alpha != 0 && x_bytes(r) > 0 && (x == NULL || !is_buffer(s, x, x_bytes(r))))
        return SPMV_INVALID_ARGUMENT;
    if (y_bytes(r) > 0 && (y == NULL || !is_buffer(s, y, y_bytes(r))))
        return SPMV_INVALID_ARGUMENT;
    return x == y && x != NULL ? SPMV_ALIASING : SPMV_OK;
}

/* Hands the last event to the lane, and to the caller. */
static void leave_running(ocl_run *r, ocl_event *event)
{
    const ocl_api *api = &r->p->state->api;

    /* Nothing was to be done. */
    if (r->last == NULL && r->code == OCL_SUCCESS)
        r->code = api->EnqueueMarkerWithWaitList(r->queue, 0, NULL, &r->last);
    if (r->code == OCL_SUCCESS)
        r->code = api->Flush(r->queue);
    if (event != NULL && r->code == OCL_SUCCESS && (r->code = api->RetainEvent(r->last)) ==
                                                       OCL_SUCCESS)
        *event = r->last;
    r->lane->last = r->last;
}

spmv_status ocl_plan_enqueue(void *plan_state, const spmv_job *job, void *x, void *y,
                             const spmv_enqueue_options *options)
{
    ocl_plan *p = (ocl_plan *)plan_state;
    ocl_state *s = p->state;
    ocl_run r = { .p = p, .job = *job, .queue = s->queue, .properties = s->queue_properties,
                  .is_enqueue = 1 };
    spmv_status status;

    if (options->queue != NULL) {
        r.queue = (ocl_queue)options->queue;
        if (!is_queue(s, r.queue, &r.properties))
            return SPMV_INVALID_ARGUMENT;
    }
    if ((status = check_vectors(&r, x, y)) != SPMV_OK)
        return status;
    r.lane = ocl_lane_take(p, 0, r.queue, &status);
    if (r.lane == NULL)
        return status;
    r.x.buffer = r.job.alpha != 0 ? (ocl_memory)x : NULL;
    r.y.buffer = (ocl_memory)y;
    wait_in_queue(&r, options->wait_count, (const ocl_event *)options->wait);
    follow_lane(&r);
    status = run_steps(&r);
    if (r.y_is_home)
        send_y_away(&r);
    leave_running(&r, (ocl_event *)options->event);
    ocl_lane_give_back(r.lane);
    return finish(&r, status);
}
