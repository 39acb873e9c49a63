/* opencl_plan.c: a plan on an OpenCL device: its program, copies of its layout, and executes.
 *
 *     host                         device
 *     layout, borrowed arrays ---> csr[], array[]         when the plan is made, and for new values
 *     x, y (unless beta is 0) ---> lane.x, lane.y         each execute
 *                                  kernels
 *     y                       <--- lane.y
 *
 * Between kernels a module may list host steps; they get the parts of the workspace that they say
 * they use, and y, in memory of the host, and what they write goes back.
 *
 * A lane is what one execute has for itself. There are several, made when they are first needed, so
 * that executes may run at once: arguments of a kernel belong to the kernel's object.
 */
#include "opencl.h"

#include "clock.h"
#include "error.h"
#include "memory.h"
#include "parallel.h"
#include "plan.h"
#include "steps.h"
#include "types.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 16 };

/* What an argument of a kernel is. */
typedef enum ocl_source {
    FROM_NOTHING, FROM_CSR, FROM_ARRAY, FROM_PART, FROM_X, FROM_Y, FROM_ALPHA, FROM_BETA,
    FROM_ROWS, FROM_COLS, FROM_NNZ, FROM_BASE, FROM_NUMBER
} ocl_source;

typedef struct ocl_binding {
    ocl_source source;
    int32_t index;               /* of FROM_CSR, FROM_ARRAY, FROM_PART, FROM_NUMBER */
} ocl_binding;

typedef struct ocl_lane {
    atomic_flag busy;
    int is_made;
    ocl_kernel kernel[SPMV_MAX_KERNELS];
    ocl_memory x, y;
    ocl_memory part[SPMV_MAX_PARTS];
    void *host_workspace;        /* of host steps; NULL where there is none */
} ocl_lane;

typedef struct ocl_plan {
    const ocl_state *state;
    const spmv_plan *plan;
    ocl_program program;
    ocl_memory csr[SPMV_CSR_ARRAYS];
    ocl_memory array[SPMV_MAX_ARRAYS];
    ocl_binding binding[SPMV_MAX_KERNELS][SPMV_MAX_ARGUMENTS];
    ocl_lane lane[LANES];        /* the first is the plan's own, for executes without a workspace */
} ocl_plan;

/* ---- what arguments are -------------------------------------------------------------------- */

static const struct {
    const char *name;
    ocl_binding binding;
} known_arguments[] = {
    { "row_ptr", { FROM_CSR, SPMV_ROW_PTR } }, { "col_idx", { FROM_CSR, SPMV_COL_IDX } },
    { "val", { FROM_CSR, SPMV_VAL } },         { "x", { FROM_X, 0 } },
    { "y", { FROM_Y, 0 } },                    { "alpha", { FROM_ALPHA, 0 } },
    { "beta", { FROM_BETA, 0 } },              { "rows", { FROM_ROWS, 0 } },
    { "cols", { FROM_COLS, 0 } },              { "nnz", { FROM_NNZ, 0 } },
    { "base", { FROM_BASE, 0 } },
};

/* Names of a layout come before those of the matrix, which a method may have its own copy of. */
static ocl_binding find_binding(const spmv_plan *plan, const char *name)
{
    const spmv_layout *layout = &plan->layout;
    const spmv_method_ops *ops = plan->module->ops;

    for (int32_t i = 0; i < layout->array_count; i++)
        if (strcmp(layout->array[i].name, name) == 0)
            return (ocl_binding){ FROM_ARRAY, i };
    for (int32_t i = 0; i < layout->part_count; i++)
        if (strcmp(layout->part[i].name, name) == 0)
            return (ocl_binding){ FROM_PART, i };
    for (int32_t i = 0; i < ops->number_count; i++)
        if (strcmp(ops->number_names[i], name) == 0)
            return (ocl_binding){ FROM_NUMBER, i };
    for (size_t i = 0; i < sizeof known_arguments / sizeof known_arguments[0]; i++)
        if (strcmp(known_arguments[i].name, name) == 0)
            return known_arguments[i].binding;
    return (ocl_binding){ FROM_NOTHING, 0 };
}

static int is_pointer(const spmv_argument *argument)
{
    return argument->kind == SPMV_ARGUMENT_READ || argument->kind == SPMV_ARGUMENT_READ_WRITE;
}

static spmv_status bind_kernel(ocl_plan *p, int32_t k, spmv_error *err)
{
    const spmv_kernel *kernel = &p->plan->module->program->kernels[k];

    for (int32_t i = 0; i < kernel->argument_count; i++) {
        const spmv_argument *argument = &kernel->arguments[i];
        const ocl_binding binding = find_binding(p->plan, argument->name);
        const int gives_pointer = binding.source >= FROM_CSR && binding.source <= FROM_Y;

        if (binding.source == FROM_NOTHING || gives_pointer != is_pointer(argument))
            return spmv_error_set(err, SPMV_ABI_MISMATCH, "%.64s breaks the module contract: kernel "
                                  "%.64s takes %s '%.64s', which nothing is called",
                                  p->plan->module->name, kernel->name,
                                  is_pointer(argument) ? "an array" : "a value", argument->name);
        p->binding[k][i] = binding;
    }
    return SPMV_OK;
}

/* ---- memory of the device ------------------------------------------------------------------ */

/* A buffer of the size, filled from `data` unless that is NULL; none for no bytes. */
static spmv_status make_buffer(const ocl_state *state, const char *what, const void *data,
                               size_t bytes, ocl_memory *memory, spmv_error *err)
{
    char doing[96];
    ocl_int code = OCL_SUCCESS;

    *memory = NULL;
    if (bytes == 0)
        return SPMV_OK;
    snprintf(doing, sizeof doing, "allocate %zu bytes for %.40s", bytes, what);
    if ((uint64_t)bytes > state->largest_buffer)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "the device '%.60s' cannot %s: its largest "
                              "buffer has %llu", state->name, doing,
                              (unsigned long long)state->largest_buffer);
    *memory = state->api.CreateBuffer(state->context, OCL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != OCL_SUCCESS) {
        *memory = NULL;
        return ocl_failed(code, doing, err);
    }
    if (data == NULL)
        return SPMV_OK;
    code = state->api.EnqueueWriteBuffer(state->queue, *memory, 1, 0, bytes, data, 0, NULL, NULL);
    snprintf(doing, sizeof doing, "write %zu bytes of %.40s", bytes, what);
    return code == OCL_SUCCESS ? SPMV_OK : ocl_failed(code, doing, err);
}

static void free_buffer(const ocl_state *state, ocl_memory *memory)
{
    if (*memory != NULL)
        state->api.ReleaseMemObject(*memory);
    *memory = NULL;
}

static spmv_status copy_csr(ocl_plan *p, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    const spmv_csr *csr = &layout->csr;
    const struct {
        int32_t borrowed;
        const char *name;
        const void *data;
        size_t bytes;
    } arrays[SPMV_CSR_ARRAYS] = {
        { SPMV_BORROWS_ROW_PTR, "row_ptr", csr->row_ptr,
          ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type) },
        { SPMV_BORROWS_COL_IDX, "col_idx", csr->col_idx, (size_t)csr->nnz * sizeof(int32_t) },
        { SPMV_BORROWS_VAL, "val", csr->val,
          (size_t)csr->nnz * spmv_value_bytes(csr->value_type) },
    };
    spmv_status status = SPMV_OK;

    for (int i = 0; i < SPMV_CSR_ARRAYS && status == SPMV_OK; i++)
        if (layout->borrows & arrays[i].borrowed)
            status = make_buffer(p->state, arrays[i].name, arrays[i].data, arrays[i].bytes,
                                 &p->csr[i], err);
    return status;
}

static spmv_status copy_layout(ocl_plan *p, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = copy_csr(p, err);

    for (int32_t i = 0; i < layout->array_count && status == SPMV_OK; i++)
        status = make_buffer(p->state, layout->array[i].name, layout->array[i].data,
                             layout->array[i].bytes, &p->array[i], err);
    return status;
}

/* ---- lanes --------------------------------------------------------------------------------- */

static int has_host_parts(const spmv_layout *layout)
{
    for (int32_t i = 0; i < layout->part_count; i++)
        if (layout->part[i].host)
            return 1;
    return 0;
}

static spmv_status make_kernels(const ocl_plan *p, ocl_lane *lane, spmv_error *err)
{
    const spmv_program *program = p->plan->module->program;
    ocl_int code = OCL_SUCCESS;

    for (int32_t k = 0; k < program->kernel_count; k++) {
        char doing[96];

        lane->kernel[k] = p->state->api.CreateKernel(p->program, program->kernels[k].name, &code);
        if (code == OCL_SUCCESS)
            continue;
        lane->kernel[k] = NULL;
        snprintf(doing, sizeof doing, "create kernel %.64s", program->kernels[k].name);
        return ocl_failed(code, doing, err);
    }
    return SPMV_OK;
}

static spmv_status make_lane(const ocl_plan *p, ocl_lane *lane, spmv_error *err)
{
    const spmv_layout *layout = &p->plan->layout;
    const size_t value_bytes = spmv_value_bytes(layout->csr.value_type);
    spmv_status status = make_kernels(p, lane, err);

    if (status == SPMV_OK)
        status = make_buffer(p->state, "x", NULL, (size_t)layout->csr.cols * value_bytes, &lane->x,
                             err);
    if (status == SPMV_OK)
        status = make_buffer(p->state, "y", NULL, (size_t)layout->csr.rows * value_bytes, &lane->y,
                             err);
    for (int32_t i = 0; i < layout->part_count && status == SPMV_OK; i++)
        status = make_buffer(p->state, layout->part[i].name, NULL, layout->part[i].bytes,
                             &lane->part[i], err);
    if (status == SPMV_OK && has_host_parts(layout) &&
        (lane->host_workspace = spmv_memory_alloc(layout->workspace_bytes)) == NULL)
        status = spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the workspace of host steps, "
                                "%zu bytes", layout->workspace_bytes);
    lane->is_made = status == SPMV_OK;
    return status;
}

static void free_lane(const ocl_plan *p, ocl_lane *lane)
{
    for (int k = 0; k < SPMV_MAX_KERNELS; k++)
        if (lane->kernel[k] != NULL)
            p->state->api.ReleaseKernel(lane->kernel[k]);
    free_buffer(p->state, &lane->x);
    free_buffer(p->state, &lane->y);
    for (int i = 0; i < SPMV_MAX_PARTS; i++)
        free_buffer(p->state, &lane->part[i]);
    spmv_memory_free(lane->host_workspace);
    memset(lane->kernel, 0, sizeof lane->kernel);
    lane->host_workspace = NULL;
    lane->is_made = 0;
}

/* A lane for one execute. NULL: *status says why. */
static ocl_lane *take_lane(ocl_plan *p, int is_own, spmv_status *status)
{
    const int last = is_own ? 1 : LANES;

    *status = SPMV_BUSY;
    for (int i = is_own ? 0 : 1; i < last; i++) {
        ocl_lane *lane = &p->lane[i];

        if (atomic_flag_test_and_set_explicit(&lane->busy, memory_order_acquire))
            continue;
        *status = lane->is_made ? SPMV_OK : make_lane(p, lane, NULL);
        if (*status == SPMV_OK)
            return lane;
        free_lane(p, lane);
        atomic_flag_clear_explicit(&lane->busy, memory_order_release);
        return NULL;
    }
    return NULL;
}

/* ---- plans --------------------------------------------------------------------------------- */

void ocl_plan_destroy(void *plan_state)
{
    ocl_plan *p = (ocl_plan *)plan_state;

    if (p == NULL)
        return;
    for (int i = 0; i < LANES; i++)
        free_lane(p, &p->lane[i]);
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        free_buffer(p->state, &p->csr[i]);
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        free_buffer(p->state, &p->array[i]);
    if (p->program != NULL)
        p->state->api.ReleaseProgram(p->program);
    spmv_memory_free(p);
}

spmv_status ocl_plan_create(void *state, const spmv_plan *plan, void **plan_state, spmv_error *err)
{
    ocl_plan *p = spmv_memory_alloc_zeroed(sizeof *p);
    spmv_status status = SPMV_OK;

    if (p == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the plan's state");
    p->state = (const ocl_state *)state;
    p->plan = plan;
    for (int i = 0; i < LANES; i++)
        atomic_flag_clear(&p->lane[i].busy);
    for (int32_t k = 0; k < plan->module->program->kernel_count && status == SPMV_OK; k++)
        status = bind_kernel(p, k, err);
    if (status == SPMV_OK)
        status = ocl_program_build(p->state, plan->module, &p->program, err);
    if (status == SPMV_OK)
        status = copy_layout(p, err);
    if (status == SPMV_OK)
        status = make_lane(p, &p->lane[0], err);
    if (status != SPMV_OK) {
        ocl_plan_destroy(p);
        return status;
    }
    *plan_state = p;
    return SPMV_OK;
}

static spmv_status rewrite(const ocl_plan *p, const char *name, const void *data, size_t bytes,
                           ocl_memory memory, spmv_error *err)
{
    char doing[64];
    ocl_int code;

    if (memory == NULL)
        return SPMV_OK;
    code = p->state->api.EnqueueWriteBuffer(p->state->queue, memory, 1, 0, bytes, data, 0, NULL,
                                            NULL);
    snprintf(doing, sizeof doing, "write new values of %.32s", name);
    return code == OCL_SUCCESS ? SPMV_OK : ocl_failed(code, doing, err);
}

spmv_status ocl_plan_take_values(void *plan_state, spmv_error *err)
{
    const ocl_plan *p = (const ocl_plan *)plan_state;
    const spmv_layout *layout = &p->plan->layout;
    spmv_status status = rewrite(p, "val", layout->csr.val,
                                 (size_t)layout->csr.nnz * spmv_value_bytes(layout->csr.value_type),
                                 p->csr[SPMV_VAL], err);

    for (int32_t i = 0; i < layout->array_count && status == SPMV_OK; i++)
        if (layout->value_arrays >> i & 1)
            status = rewrite(p, layout->array[i].name, layout->array[i].data,
                             layout->array[i].bytes, p->array[i], err);
    return status;
}

/* ---- executes ------------------------------------------------------------------------------ */

/* One execute while it runs. */
typedef struct ocl_run {
    const ocl_plan *p;
    ocl_lane *lane;
    const spmv_job *job;
    spmv_step_time *time;        /* SPMV_MAX_STEPS of them, or NULL */
    int32_t count;
    ocl_int code;                /* of the first call that failed */
    int y_is_home;               /* the host has the newest y */
} ocl_run;

static void note_time(ocl_run *r, const char *name, double seconds)
{
    if (r->time != NULL && r->count < SPMV_MAX_STEPS)
        r->time[r->count++] = (spmv_step_time){ name, seconds };
}

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

static void write_buffer(ocl_run *r, ocl_memory memory, const void *data, size_t bytes)
{
    const ocl_state *s = r->p->state;

    if (r->code == OCL_SUCCESS && bytes > 0)
        r->code = s->api.EnqueueWriteBuffer(s->queue, memory, 1, 0, bytes, data, 0, NULL, NULL);
}

static void read_buffer(ocl_run *r, ocl_memory memory, void *data, size_t bytes)
{
    const ocl_state *s = r->p->state;

    if (r->code == OCL_SUCCESS && bytes > 0)
        r->code = s->api.EnqueueReadBuffer(s->queue, memory, 1, 0, bytes, data, 0, NULL, NULL);
}

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
    return b.source == FROM_ALPHA ? r->job->alpha
           : b.source == FROM_BETA ? r->job->beta : (double)integer_of(r, b);
}

static ocl_memory memory_of(const ocl_run *r, ocl_binding b)
{
    switch (b.source) {
    case FROM_CSR: return r->p->csr[b.index];
    case FROM_ARRAY: return r->p->array[b.index];
    case FROM_PART: return r->lane->part[b.index];
    case FROM_X: return r->lane->x;
    case FROM_Y: return r->lane->y;
    default: return NULL;
    }
}

static void set_argument(ocl_run *r, ocl_kernel kernel, ocl_uint index, spmv_argument_kind kind,
                         ocl_binding b)
{
    const ocl_memory memory = memory_of(r, b);
    const int32_t i32 = (int32_t)integer_of(r, b);
    const int64_t i64 = integer_of(r, b);
    const float f32 = (float)real_of(r, b);
    const double f64 = real_of(r, b);
    const struct {
        const void *value;
        size_t bytes;
    } values[] = {
        [SPMV_ARGUMENT_READ] = { &memory, sizeof memory },
        [SPMV_ARGUMENT_READ_WRITE] = { &memory, sizeof memory },
        [SPMV_ARGUMENT_I32] = { &i32, sizeof i32 },
        [SPMV_ARGUMENT_I64] = { &i64, sizeof i64 },
        [SPMV_ARGUMENT_F32] = { &f32, sizeof f32 },
        [SPMV_ARGUMENT_F64] = { &f64, sizeof f64 },
    };

    if (r->code == OCL_SUCCESS)
        r->code = r->p->state->api.SetKernelArg(kernel, index, values[kind].bytes,
                                                values[kind].value);
}

static double event_seconds(const ocl_state *s, ocl_event event)
{
    uint64_t start = 0, end = 0;

    if (s->api.GetEventProfilingInfo(event, OCL_PROFILING_COMMAND_START, 8, &start, NULL) !=
            OCL_SUCCESS ||
        s->api.GetEventProfilingInfo(event, OCL_PROFILING_COMMAND_END, 8, &end, NULL) !=
            OCL_SUCCESS || end < start)
        return 0;
    return (double)(end - start) * 1e-9;
}

static void launch_kernel(ocl_run *r, int32_t k, const spmv_step *step)
{
    const ocl_state *s = r->p->state;
    const spmv_kernel *kernel = &r->p->plan->module->program->kernels[k];
    const size_t group = (size_t)kernel->work_group_size;
    const size_t global = (size_t)step->grid * group;
    ocl_event event = NULL;

    for (int32_t i = 0; i < kernel->argument_count; i++)
        set_argument(r, r->lane->kernel[k], (ocl_uint)i, kernel->arguments[i].kind,
                     r->p->binding[k][i]);
    if (r->code == OCL_SUCCESS)
        r->code = s->api.EnqueueNDRangeKernel(s->queue, r->lane->kernel[k], 1, NULL, &global, &group,
                                              0, NULL, r->time != NULL ? &event : NULL);
    if (r->code != OCL_SUCCESS || event == NULL)
        return;
    r->code = s->api.WaitForEvents(1, &event);
    note_time(r, step->name, event_seconds(s, event));
    s->api.ReleaseEvent(event);
}

/* Moves what host steps use: with `to_host` what they read, else what they wrote. */
static void move_host_parts(ocl_run *r, int32_t access, int to_host)
{
    const spmv_layout *layout = &r->p->plan->layout;

    for (int32_t i = 0; i < layout->part_count; i++) {
        const spmv_part *part = &layout->part[i];
        char *data = (char *)r->lane->host_workspace + part->offset;

        if (!(part->host & access))
            continue;
        if (to_host)
            read_buffer(r, r->lane->part[i], data, part->bytes);
        else
            write_buffer(r, r->lane->part[i], data, part->bytes);
    }
}

static void run_host_step(ocl_run *r, const spmv_step *step)
{
    const spmv_layout *layout = &r->p->plan->layout;
    spmv_job job = *r->job;
    double start = spmv_seconds_now();

    if (layout->host_y && !r->y_is_home)
        read_buffer(r, r->lane->y, job.y, y_bytes(r));
    move_host_parts(r, SPMV_HOST_READS, 1);
    note_time(r, "from the device", spmv_seconds_now() - start);
    if (r->code != OCL_SUCCESS)
        return;
    job.workspace = r->lane->host_workspace;
    start = spmv_seconds_now();
    if (spmv_steps_run(&job, step, 1, r->p->plan->threads) != SPMV_OK)
        r->code = OCL_OUT_OF_RESOURCES;
    note_time(r, step->name, spmv_seconds_now() - start);
    r->y_is_home = r->y_is_home || (layout->host_y & SPMV_HOST_WRITES);
    move_host_parts(r, SPMV_HOST_WRITES, 0);
}

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
    const int32_t count = module->ops->launches(r->job, step);

    if (count < 0 || count > SPMV_MAX_STEPS)
        return SPMV_ABI_MISMATCH;
    for (int32_t i = 0; i < count && r->code == OCL_SUCCESS; i++) {
        const int32_t k = step[i].run == NULL ? find_kernel(module->program, step[i].name) : 0;

        if (step[i].grid < 0 || k < 0)
            return SPMV_ABI_MISMATCH;
        if (step[i].grid > 0 && step[i].run == NULL) {
            if (r->y_is_home)
                write_buffer(r, r->lane->y, r->job->y, y_bytes(r));
            r->y_is_home = 0;
            launch_kernel(r, k, &step[i]);
        } else if (step[i].grid > 0) {
            run_host_step(r, &step[i]);
        }
    }
    return SPMV_OK;
}

static spmv_status run_in_lane(ocl_run *r)
{
    double start = spmv_seconds_now();
    spmv_status status;

    if (r->job->alpha != 0)
        write_buffer(r, r->lane->x, r->job->x, x_bytes(r));
    if (r->job->beta != 0)
        write_buffer(r, r->lane->y, r->job->y, y_bytes(r));
    note_time(r, "to the device", spmv_seconds_now() - start);
    status = run_steps(r);
    start = spmv_seconds_now();
    if (status == SPMV_OK && !r->y_is_home)
        read_buffer(r, r->lane->y, r->job->y, y_bytes(r));
    note_time(r, "from the device", spmv_seconds_now() - start);
    if (status == SPMV_OK && r->code != OCL_SUCCESS)
        status = ocl_failed(r->code, "multiply", NULL);
    return status;
}

spmv_status ocl_plan_execute(void *plan_state, const spmv_job *job, spmv_step_time *time,
                             int32_t *count)
{
    ocl_plan *p = (ocl_plan *)plan_state;
    ocl_run r = { .p = p, .job = job, .time = time };
    spmv_status status;

    r.lane = take_lane(p, job->workspace == NULL, &status);
    if (r.lane == NULL)
        return status;
    status = run_in_lane(&r);
    atomic_flag_clear_explicit(&r.lane->busy, memory_order_release);
    if (count != NULL)
        *count = r.count;
    return status;
}
