/* test_cuda_queues.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK: the CUDA backend in contexts and
 * streams of the caller: executes, enqueues, and captures into graphs. The mock runs commands as
 * late as it may, and unwritten memory holds garbage, so a missing wait gives wrong results. */
#define _POSIX_C_SOURCE 200809L
#include "cuda_client.h"
#include "../tap.h"

#include <stdlib.h>
#include <string.h>

enum { NEVER = 1 << 30 };        /* is a command overtaken */

/* ---- the context and the stream ------------------------------------------------------------- */

static void test_own_stream(const char *name, unsigned flags, spmv_cuda_stream special)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    double *y = sample_vector(s, ROWS, 4);
    cuda_app app;

    cuda_reset();
    app_begin(&app, flags);
    ok(open_cuda(special != NULL ? special : app.stream, &device, &err) == SPMV_OK, "%s: %s", name,
       err.text);
    spmv_plan *plan = make_plan(device, &err);
    ok(spmv_execute(plan, 2, s->x, 3, y, NULL) == SPMV_OK && sample_is_right(s, y, 2, 3, 4),
       "%s: an execute", name);
    ok(transfers(plan, s->x, y) == 8 && sample_is_right(s, y, 1, 0, 0), "%s: a profile", name);
    ok(has_context(app.context), "%s: the context stays current", name);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    app_end(&app);
    ok(is_clean(), "%s: nothing of the caller's is released, all else is", name);
    free(y);
}

/* Without a queue the device uses the thread's context, so that the thread's memory may be passed.
 * With a queue it uses the queue's context, whatever the thread's is. */
static void test_whose_context(void)
{
    spmv_device *device = NULL;
    cuda_app app, other;
    spmv_cuda_context popped;

    cuda_reset();
    app_begin(&app, 0);
    app_begin(&other, 0);
    cu.CtxPopCurrent(&popped);
    spmv_plan *plan = open_alone(NULL, &device);
    app_write(&app, app.x, s->x);
    ok(spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(CU_STREAM_LEGACY, app.y, 1, 0, 0), "without a queue, the thread's context");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    plan = open_alone(other.stream, &device);
    ok(spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_INVALID_ARGUMENT &&
       has_context(app.context), "with one, its own context");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    cu.CtxPushCurrent(other.context);
    app_end(&other);
    app_end(&app);
    ok(is_clean(), "and nothing is left");
}

static void test_queue_errors(void)
{
    const spmv_device_options cpu = {.struct_size = sizeof cpu, .device = "cpu", .queue = &mock};
    spmv_device_options named = {.struct_size = sizeof named, .device = "cuda:Tegra",
                                 .no_builtin_modules = 1};
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    cuda_app app;

    ok(spmv_device_open(&cpu, &device, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "options.queue is set, but the CPU has none") != NULL, "%s", err.text);
    cuda_reset();
    mock->devices = 2;
    app_begin(&app, 0);
    ok(spmv_device_open(&named, &device, &err) == SPMV_OK,
       "a device by name overrides the thread's context");
    spmv_device_close(device);
    named.queue = app.stream;
    ok(spmv_device_open(&named, &device, &err) == SPMV_UNSUPPORTED &&
           strstr(err.text,
                  "the device of options.queue is 'Mock device (sm_90)', which has no 'Tegra'") !=
               NULL,
       "%s", err.text);
    mock->failing = "cuStreamGetCtx";
    mock->fail_at = 1;
    mock->code = CU_INVALID_VALUE;
    ok(spmv_device_open(&named, &device, &err) == SPMV_DEVICE_FAILED &&
           strstr(err.text, "cannot use options.queue: CUDA_ERROR_INVALID_VALUE") != NULL,
       "%s", err.text);
    app_end(&app);
    ok(is_clean(), "nothing is left of a stream that is refused");
}

/* libspmv's stream waits for commands that the caller left in the default stream. */
static void test_default_stream(void)
{
    spmv_device *device = NULL;
    cuda_app app;

    cuda_reset();
    app_begin(&app, 0);
    spmv_plan *plan = open_alone(NULL, &device);
    cu.MemcpyHtoDAsync(app.x, s->x, COLS * sizeof(double), CU_STREAM_LEGACY);
    ok(spmv_enqueue(plan, 3, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
           app_reads_right(CU_STREAM_LEGACY, app.y, 3, 0, 0),
       "the default stream and the device's keep order");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    app_end(&app);
    ok(is_clean(), "and nothing is left");
}

/* ---- enqueues ------------------------------------------------------------------------------ */

/* Writes, multiplies twice and reads in three streams, which wait for each other only by events.
 * The plan's method has host steps, or has none. */
static void test_enqueue(int is_alone, int overtaking)
{
    const char *name = is_alone ? "kernels alone" : "with host steps";
    spmv_device *device = NULL;
    spmv_cuda_event written[2] = {NULL, NULL}, ended = NULL, again = NULL;
    spmv_cuda_stream second = NULL, third = NULL;
    spmv_enqueue_options options = {.struct_size = sizeof options, .wait_count = 2, .wait = written,
                                    .event = &ended};
    double old[ROWS];
    cuda_app app;

    cuda_reset();
    mock->overtaking = overtaking;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    cu.StreamCreate(&second, CU_STREAM_NON_BLOCKING);
    cu.StreamCreate(&third, CU_STREAM_NON_BLOCKING);
    spmv_plan *plan = is_alone ? open_alone(app.stream, &device)
                               : (open_cuda(app.stream, &device, NULL), make_plan(device, NULL));
    for (int i = 0; i < ROWS; i++)
        old[i] = 3;
    for (int i = 0; i < 2; i++)
        cu.EventCreate(&written[i], 0);
    cu.MemcpyHtoDAsync(app.x, s->x, COLS * sizeof(double), second);
    cu.EventRecord(written[0], second);
    cu.MemcpyHtoDAsync(app.y, old, sizeof old, third);
    cu.EventRecord(written[1], third);
    const double beta = is_alone ? 0 : 1;
    ok(spmv_enqueue(plan, 2, address(app.x), beta, address(app.y), &options) == SPMV_OK &&
       cu.StreamWaitEvent(third, ended, 0) == CU_SUCCESS &&
       app_reads_right(third, app.y, 2, beta, 3), "%s: an enqueue after what it waits for", name);
    options = (spmv_enqueue_options){ .struct_size = sizeof options,
                                      .queue = second,
                                      .wait_count = 1,
                                      .wait = &ended,
                                      .event = &again };
    ok(spmv_enqueue(plan, -1, address(app.x), 0, address(app.y), &options) == SPMV_OK &&
       app_reads_right(second, app.y, -1, 0, 0), "%s: in another stream", name);
    options = (spmv_enqueue_options){.struct_size = sizeof options, .queue = CU_STREAM_PER_THREAD};
    ok(spmv_enqueue(plan, 4, address(app.x), 0, address(app.y), &options) == SPMV_OK &&
           app_reads_right(CU_STREAM_PER_THREAD, app.y, 4, 0, 0),
       "%s: in the thread's own stream", name);
    ok(spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       has_context(app.context), "%s: that nobody waits for", name);
    for (int i = 0; i < 2; i++)
        cu.EventDestroy(written[i]);
    cu.EventDestroy(ended);
    cu.EventDestroy(again);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    cu.StreamDestroy(second);
    cu.StreamDestroy(third);
    app_end(&app);
    ok(is_clean(), "%s: all objects are released", name);
}

/* Streams of one context. */
static void make_streams(spmv_cuda_stream *stream, int count)
{
    for (int i = 0; i < count; i++)
        cu.StreamCreate(&stream[i], CU_STREAM_NON_BLOCKING);
}

static void end_streams(const spmv_cuda_stream *stream, int count)
{
    for (int i = 0; i < count; i++)
        cu.StreamDestroy(stream[i]);
}

/* More enqueues of a plan than it has slots, in more streams than slots, each with its own vectors.
 * With is_refused some enqueues fail in between; later ones must still wait for earlier ones. */
static void test_overlap(int is_refused, int overtaking)
{
    enum { COUNT = 40, STREAMS = 19 };
    spmv_device *device = NULL;
    spmv_cuda_stream stream[STREAMS];
    spmv_cuda_pointer x[COUNT], y[COUNT];
    double scaled[COLS];
    cuda_app app;
    int good = 1;

    cuda_reset();
    mock->overtaking = overtaking;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    make_streams(stream, STREAMS);
    spmv_plan *plan = open_alone(app.stream, &device);
    for (int i = 0; i < COUNT; i++) {
        const spmv_enqueue_options options = {.struct_size = sizeof options,
                                              .queue = stream[i % STREAMS]};
        cu.MemAlloc(&x[i], sizeof scaled);
        cu.MemAlloc(&y[i], ROWS * sizeof(double));
        for (int k = 0; k < COLS; k++)
            scaled[k] = i * sample_get(s, s->x, k);
        app_write(&app, x[i], scaled);
        if (is_refused && i % 5 == 4) {
            mock->failing = i % 2 ? "cuLaunchKernel" : "cuEventRecord";
            mock->fail_at = ++mock->calls;
            mock->code = CU_OUT_OF_MEMORY;
            spmv_enqueue(plan, 1, address(x[i]), 0, address(y[i]), &options);
            mock->failing = NULL;
        }
        good &= spmv_enqueue(plan, 1, address(x[i]), 0, address(y[i]), &options) == SPMV_OK;
    }
    for (int i = COUNT - 1; i >= 0; i--)
        good &= app_reads_right(stream[i % STREAMS], y[i], i, 0, 0);
    ok(good, "%d enqueues of a plan in %d streams%s, disorder %d", COUNT, STREAMS,
       is_refused ? ", some refused between them" : "", overtaking);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    for (int i = 0; i < COUNT; i++) {
        cu.MemFree(x[i]);
        cu.MemFree(y[i]);
    }
    end_streams(stream, STREAMS);
    app_end(&app);
    ok(is_clean(), "and all objects are released");
}

/* An execute in the slot of an enqueue that still runs in another stream: every slot has such an
 * enqueue. */
static void test_execute_behind(int overtaking)
{
    enum { SLOTS = 15 };
    double doubled[COLS], result[ROWS];
    spmv_device *device = NULL;
    spmv_cuda_stream stream[SLOTS];
    spmv_cuda_pointer y[SLOTS];
    cuda_app app;
    int good = 1;

    cuda_reset();
    mock->overtaking = overtaking;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    make_streams(stream, SLOTS);
    spmv_plan *plan = open_alone(app.stream, &device);
    char *workspace = aligned_alloc(SPMV_ALIGNMENT, 4096);
    for (int i = 0; i < COLS; i++)
        doubled[i] = 2 * sample_get(s, s->x, i);
    app_write(&app, app.x, s->x);
    for (int i = 0; i < SLOTS; i++) {
        const spmv_enqueue_options options = {.struct_size = sizeof options, .queue = stream[i]};
        cu.MemAlloc(&y[i], ROWS * sizeof(double));
        good &= spmv_enqueue(plan, i + 1, address(app.x), 0, address(y[i]), &options) == SPMV_OK;
    }
    good &= spmv_execute(plan, 1, doubled, 0, result, workspace) == SPMV_OK &&
            sample_is_right(s, result, 2, 0, 0);
    for (int i = 0; i < SLOTS; i++) {
        good &= app_reads_right(stream[i], y[i], i + 1, 0, 0);
        cu.MemFree(y[i]);
    }
    ok(good, "an execute behind enqueues, in the memory of one, disorder %d", overtaking);
    free(workspace);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    end_streams(stream, SLOTS);
    app_end(&app);
    ok(is_clean(), "and all objects are released");
}

static void test_enqueue_errors(void)
{
    const spmv_enqueue_options unsized = {.wait_count = 1};
    const spmv_enqueue_options unlisted = {.struct_size = sizeof unlisted, .wait_count = 1};
    spmv_enqueue_options foreign = {.struct_size = sizeof foreign};
    spmv_device *device = NULL, *cpu = sample_device();
    spmv_plan *of_cpu = make_plan(cpu, NULL);
    cuda_app app, other;
    spmv_cuda_context popped;

    cuda_reset();
    app_begin(&app, 0);
    app_begin(&other, 0);
    cu.CtxPopCurrent(&popped);
    foreign.queue = other.stream;
    spmv_plan *plan = open_alone(app.stream, &device);
    void *x = address(app.x), *y = address(app.y);
    const struct {
        const spmv_plan *plan;
        void *x, *y;
        const spmv_enqueue_options *options;
        spmv_status status;
        const char *name;
    } cases[] = {
        {NULL, x, y, NULL, SPMV_INVALID_ARGUMENT, "no plan"},
        {of_cpu, x, y, NULL, SPMV_UNSUPPORTED, "a plan for the CPU"},
        {plan, NULL, y, NULL, SPMV_INVALID_ARGUMENT, "no x"},
        {plan, x, NULL, NULL, SPMV_INVALID_ARGUMENT, "no y"},
        {plan, address(app.x + 8), y, NULL, SPMV_INVALID_ARGUMENT, "a short x"},
        {plan, x, address(app.x), NULL, SPMV_INVALID_ARGUMENT, "a short y"},
        {plan, address(app.x + 4), y, NULL, SPMV_INVALID_ARGUMENT, "a misaligned x"},
        {plan, s->x, y, NULL, SPMV_INVALID_ARGUMENT, "x of the host"},
        {plan, x, address(other.y), NULL, SPMV_INVALID_ARGUMENT, "y of another context"},
        {plan, y, y, NULL, SPMV_ALIASING, "x is y"},
        {plan, address(app.y + 8), y, NULL, SPMV_ALIASING, "x lies in y"},
        {plan, x, y, &unsized, SPMV_INVALID_ARGUMENT, "options without a size"},
        {plan, x, y, &unlisted, SPMV_INVALID_ARGUMENT, "events that are not there"},
        {plan, x, y, &foreign, SPMV_INVALID_ARGUMENT, "a stream of another context"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(spmv_enqueue(cases[i].plan, 1, cases[i].x, 0, cases[i].y, cases[i].options) ==
                   cases[i].status &&
               has_context(app.context),
           "an enqueue is refused: %s", cases[i].name);
    spmv_error err = {SPMV_OK, ""};
    const spmv_enqueue_options reports = {.struct_size = sizeof reports, .err = &err};
    ok(spmv_enqueue(plan, 1, address(app.x + 8), 0, y, &reports) == SPMV_INVALID_ARGUMENT &&
           strstr(err.text, "spmv_enqueue: x is too short") &&
           strstr(err.text, "at least 56 bytes"),
       "%s", err.text);
    ok(spmv_enqueue(plan, 1, s->x, 0, y, &reports) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "spmv_enqueue: x is memory of the host; expected"), "%s", err.text);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    cu.CtxPushCurrent(other.context);
    app_end(&other);
    app_end(&app);
    ok(is_clean(), "and nothing is left");
    spmv_plan_destroy(of_cpu);
    spmv_device_close(cpu);
}

static spmv_status break_contract(void)
{
    return SPMV_ABI_MISMATCH;
}

/* The error of a failed host step names the step, and neither an event nor any object is left. */
static void test_host_step_error(void)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    spmv_cuda_event event = NULL;
    const spmv_enqueue_options options = {.struct_size = sizeof options, .event = &event,
                                          .err = &err};
    cuda_app app;

    if (!toy_before_host_steps(NULL)) {
        skip("the linker has no --wrap, which makes host steps fail");
        return;
    }
    cuda_reset();
    app_begin(&app, 0);
    open_cuda(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    app_write(&app, app.x, s->x);
    toy_before_host_steps(break_contract);
    ok(spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), &options) == SPMV_ABI_MISMATCH &&
       strstr(err.text, "host step halve: ") != NULL && event == NULL,
       "a host step that fails: %s", err.text);
    toy_before_host_steps(NULL);
    ok(spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(CU_STREAM_LEGACY, app.y, 1, 0, 0), "the next enqueue is right");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    app_end(&app);
    ok(is_clean(), "and nothing is left");
}

/* Vectors in virtual memory that is mapped piece by piece; the driver reports single pieces. */
static void test_pieces(void)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_enqueue_options reports = {.struct_size = sizeof reports, .err = &err};
    double *y = sample_vector(s, ROWS, 4);
    cuda_app app, torn;

    cuda_reset();
    mock->piece = 16;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    mock->gap = 3;
    app_begin(&torn, CU_STREAM_NON_BLOCKING);
    mock->piece = 0;
    spmv_plan *plan = open_alone(torn.stream, &device);
    app_write(&torn, torn.x, s->x);
    ok(spmv_enqueue(plan, 1, address(torn.x), 0, address(torn.y), &reports) ==
               SPMV_INVALID_ARGUMENT &&
           strstr(err.text, "spmv_enqueue: x is too short: its memory ends, or has a gap") &&
           strstr(err.text, "after 32 bytes") &&
           strstr(err.text, "without gaps, of at least 56 bytes"), "x with a gap: %s", err.text);
    ok(spmv_execute(plan, 1, address(torn.x), 0, y, NULL) == SPMV_INVALID_ARGUMENT,
       "and of an execute");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    app_end(&torn);

    plan = open_alone(app.stream, &device);
    app_write(&app, app.x, s->x);
    ok(spmv_enqueue(plan, 2, address(app.x), 0, address(app.y), &reports) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 2, 0, 0), "x and y in pieces: an enqueue");
    ok(spmv_execute(plan, 3, address(app.x), 0, y, NULL) == SPMV_OK &&
       sample_is_right(s, y, 3, 0, 4), "x in pieces: an execute");
    ok(spmv_enqueue(plan, 1, address(app.x + 8), 0, address(app.y), &reports) ==
           SPMV_INVALID_ARGUMENT && strstr(err.text, "after 48 bytes"), "x that ends too early: %s",
       err.text);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    app_end(&app);
    ok(is_clean(), "and nothing is left");
    free(y);
}

/* ---- captures ------------------------------------------------------------------------------ */

/* Captures y = alpha*A*x. NULL: the capture fails. */
static spmv_cuda_graph capture(const spmv_plan *plan, spmv_cuda_stream stream, double alpha,
                               spmv_cuda_pointer x, spmv_cuda_pointer y, spmv_status *status,
                               spmv_error *err)
{
    const spmv_enqueue_options options = { .struct_size = sizeof options,
                                           .queue = stream,
                                           .err = err };
    spmv_cuda_graph graph = NULL;

    more.StreamBeginCapture(stream, CU_CAPTURE_MODE_GLOBAL);
    *status = spmv_enqueue(plan, alpha, address(x), 0, address(y), &options);
    return more.StreamEndCapture(stream, &graph) == CU_SUCCESS ? graph : NULL;
}

/* A graph can be launched many times, beside enqueues of the plan in other streams and with other
 * vectors, since the graph has its own slot. */
static void test_capture(void)
{
    spmv_device *device = NULL;
    spmv_cuda_pointer x = 0, y = 0;
    spmv_cuda_stream second = NULL;
    spmv_error err = {SPMV_OK, ""};
    spmv_status status;
    double other[COLS];
    cuda_app app;

    cuda_reset();
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    cu.StreamCreate(&second, CU_STREAM_NON_BLOCKING);
    cu.MemAlloc(&x, COLS * sizeof(double));
    cu.MemAlloc(&y, ROWS * sizeof(double));
    spmv_plan *plan = open_alone(app.stream, &device);
    for (int i = 0; i < COLS; i++)
        other[i] = -3 * sample_get(s, s->x, i);
    app_write(&app, app.x, s->x);
    app_write(&app, x, other);
    ok(spmv_enqueue(plan, 1, address(x), 0, address(y), NULL) == SPMV_OK, "an enqueue runs still");
    spmv_cuda_graph graph = capture(plan, second, 2, app.x, app.y, &status, &err);
    ok(graph != NULL && status == SPMV_OK, "an enqueue is captured, beside it: %s", err.text);
    int good = graph != NULL;
    for (int i = 0; i < 5 && good; i++) {
        app_fill(&app, app.y, i);
        more.GraphLaunch(graph, second);
        good = spmv_enqueue(plan, i, address(x), 0, address(y), NULL) == SPMV_OK &&
               app_reads_right(second, app.y, 2, 0, 0) &&
               app_reads_right(app.stream, y, -3 * i, 0, 0);
    }
    ok(good, "the graph and enqueues of the plan run side by side, and are right");
    if (graph != NULL)
        more.GraphDestroy(graph);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    cu.MemFree(x);
    cu.MemFree(y);
    cu.StreamDestroy(second);
    app_end(&app);
    ok(is_clean(), "and all objects are released");
}

/* A graph multiplies by the values that its plan has at the launch. If the graph reads the caller's
 * array, the array cannot be exchanged for another one. is_managed: the arrays of values in managed
 * memory, as bits: the plan's first array (bit 0), the new array (bit 1). */
static void test_capture_values(int is_managed)
{
    const size_t bytes = (size_t)s->csr.nnz * sizeof(double);
    const int is_refused = is_managed & 1;
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_csr csr = s->csr;
    spmv_error err = {SPMV_OK, ""};
    spmv_status status;
    spmv_cuda_pointer memory[2] = { 0, 0 };
    double *val[2];
    cuda_app app;

    cuda_reset();
    mock->has_managed = 1;
    mock->has_concurrent_managed = 1;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    toy_open("cuda", toy_borrowing_modules, app.stream, &device, NULL);
    for (int i = 0; i < 2; i++) {
        if (is_managed >> i & 1)
            cu.MemAllocManaged(&memory[i], bytes, CU_MEM_ATTACH_GLOBAL);
        val[i] = memory[i] ? address(memory[i]) : malloc(bytes);
        for (int64_t k = 0; k < s->csr.nnz; k++)
            val[i][k] = (1 + 2 * i) * ((const double *)s->csr.val)[k];
    }
    csr.val = val[0];
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_OK, "a plan: %s", err.text);
    app_write(&app, app.x, s->x);
    spmv_cuda_graph graph = capture(plan, app.stream, 2, app.x, app.y, &status, &err);
    more.GraphLaunch(graph, app.stream);
    ok(app_reads_right(app.stream, app.y, 2, 0, 0), "its graph multiplies by the first values");
    status = spmv_plan_update_values(plan, val[1], &err);
    ok(is_refused
           ? status == SPMV_UNSUPPORTED && strstr(err.text, "captured graphs read val") != NULL
           : status == SPMV_OK,
       "new ones, managed %d: %s", is_managed, err.text);
    if (is_refused) {
        for (int64_t k = 0; k < s->csr.nnz; k++)
            val[0][k] *= 3;
        ok(spmv_plan_update_values(plan, val[0], &err) == SPMV_OK,
           "new values in the same array are accepted");
    }
    app_fill(&app, app.y, 0);
    more.GraphLaunch(graph, app.stream);
    ok(app_reads_right(app.stream, app.y, 6, 0, 0), "and then its graph multiplies by them");
    more.GraphDestroy(graph);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    for (int i = 0; i < 2; i++) {
        if (memory[i])
            cu.MemFree(memory[i]);
        else
            free(val[i]);
    }
    app_end(&app);
    ok(is_clean(), "and all objects are released");
}

/* A copy of an array of the host in device memory. */
static spmv_cuda_pointer upload(const cuda_app *app, const void *data, size_t bytes)
{
    spmv_cuda_pointer memory = 0;

    cu.MemAlloc(&memory, bytes);
    cu.MemcpyHtoDAsync(memory, data, bytes, app->stream);
    return memory;
}

/* The matrix on the device, written by commands that have not run yet: plans are those of the
 * host's matrix, and borrow nothing. is_borrowing: the method borrows its arrays. */
static void test_matrix_on_device(int is_borrowing, int overtaking)
{
    const size_t row_ptr_bytes = (ROWS + 1) * sizeof(int32_t);
    const size_t col_idx_bytes = (size_t)s->csr.nnz * sizeof(int32_t);
    const size_t val_bytes = (size_t)s->csr.nnz * sizeof(double);
    spmv_device *device = NULL;
    spmv_plan *plan = NULL, *host_plan = NULL;
    spmv_csr csr = s->csr;
    spmv_error err = {SPMV_OK, ""};
    spmv_cuda_pointer memory[4];
    double *val = malloc(val_bytes);
    cuda_app app;

    cuda_reset();
    mock->overtaking = overtaking;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    toy_open("cuda", is_borrowing ? toy_borrowing_modules : toy_alone_modules, app.stream, &device,
             NULL);
    memory[0] = upload(&app, csr.row_ptr, row_ptr_bytes);
    memory[1] = upload(&app, csr.col_idx, col_idx_bytes);
    memory[2] = upload(&app, csr.val, val_bytes);
    csr.row_ptr = address(memory[0]);
    csr.col_idx = address(memory[1]);
    csr.val = address(memory[2]);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_OK,
       "a matrix on the device, borrowed %d: %s", is_borrowing, err.text);
    spmv_plan_create(device, &s->csr, NULL, &host_plan, NULL);
    app_write(&app, app.x, s->x);
    ok(spmv_enqueue(plan, 2, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 2, 0, 0), "multiplies as one of the host");
    for (int i = 0; i < 3; i++)
        cu.MemFree(memory[i]);
    for (int64_t k = 0; k < s->csr.nnz; k++)
        val[k] = 3 * ((const double *)s->csr.val)[k];
    for (int i = 0; i < 2; i++) {
        memory[3] = upload(&app, val, val_bytes);
        ok(spmv_plan_update_values(i == 0 ? plan : host_plan, address(memory[3]), &err) == SPMV_OK,
           "new values on the device, for a plan of the %s: %s", i == 0 ? "device" : "host",
           err.text);
        cu.MemFree(memory[3]);
    }
    app_fill(&app, app.y, 0);
    ok(spmv_enqueue(plan, 2, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 6, 0, 0), "are taken, and nothing is borrowed");
    ok(spmv_enqueue(host_plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 3, 0, 0), "by both");
    ok(spmv_plan_update_values(host_plan, s->csr.val, &err) == SPMV_OK &&
       spmv_enqueue(host_plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 1, 0, 0), "and values of the host again");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(host_plan);
    spmv_device_close(device);
    app_end(&app);
    free(val);
    ok(is_clean(), "and all objects are released");
}

/* What cannot be fetched. */
static void test_matrix_errors(void)
{
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_csr csr = s->csr;
    spmv_error err = {SPMV_OK, ""};
    spmv_cuda_pointer shorter = 0, all = 0;
    spmv_cuda_graph graph = NULL;
    cuda_app app, other;

    cuda_reset();
    app_begin(&other, 0);
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    open_cuda(app.stream, &device, NULL);
    shorter = upload(&app, csr.val, ((size_t)csr.nnz - 1) * sizeof(double));
    all = upload(&app, csr.val, (size_t)csr.nnz * sizeof(double));
    csr.val = address(shorter);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_INVALID_ARGUMENT && plan == NULL &&
       strstr(err.text, "spmv_plan_create: val is at ") && strstr(err.text, "that ends too early"),
       "%s", err.text);
    csr.val = address(other.x);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "memory of another context"), "%s", err.text);
    csr.val = address(all);
    csr.nnz = -1;
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_INVALID_MATRIX,
       "sizes are checked before anything is copied: %s", err.text);
    csr = s->csr;
    csr.row_ptr = address(all);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_INVALID_MATRIX,
       "and contents of the device as those of the host: %s", err.text);
    csr = s->csr;
    csr.val = address(all);
    more.StreamBeginCapture(app.stream, CU_CAPTURE_MODE_GLOBAL);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "is being captured"), "%s", err.text);
    ok(more.StreamEndCapture(app.stream, &graph) == CU_SUCCESS, "which spoils no capture");
    more.GraphDestroy(graph);
    mock->failing = "cuMemcpyDtoHAsync_v2";
    mock->fail_at = 1;
    mock->code = 719;
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_DEVICE_FAILED &&
       strstr(err.text, "CUDA cannot copy the matrix to the host"), "%s", err.text);
    cu.MemFree(shorter);
    cu.MemFree(all);
    spmv_device_close(device);
    app_end(&app);
    app_end(&other);
    ok(is_clean(), "and all objects are released");
}

/* Captures a plan with a workspace many times, while enqueues run in all pooled slots: each graph
 * that is kept has its own workspace, so graphs run side by side. hides_graphs: as with drivers
 * before CUDA 11.3. */
static void test_many_captures(int overtaking, int hides_graphs)
{
    enum { SLOTS = 15, CAPTURES = 1000 };
    spmv_device *device = NULL;
    spmv_cuda_stream stream[SLOTS], last = NULL;
    spmv_cuda_graph graph[CAPTURES] = {NULL};
    spmv_cuda_pointer x = 0, y[SLOTS];
    spmv_error err = {SPMV_OK, ""};
    spmv_status status;
    double result[ROWS], other[COLS];
    cuda_app app;
    int good = 1;

    cuda_reset();
    mock->overtaking = overtaking;
    mock->hides_graphs = hides_graphs;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    make_streams(stream, SLOTS);
    cu.StreamCreate(&last, CU_STREAM_NON_BLOCKING);
    cu.MemAlloc(&x, sizeof other);
    for (int i = 0; i < SLOTS; i++)
        cu.MemAlloc(&y[i], sizeof result);
    spmv_plan *plan = open_alone(app.stream, &device);
    for (int i = 0; i < COLS; i++)
        other[i] = -3 * sample_get(s, s->x, i);
    app_write(&app, app.x, s->x);
    app_write(&app, x, other);
    for (int i = 0; i < SLOTS; i++) {
        const spmv_enqueue_options options = {.struct_size = sizeof options, .queue = stream[i]};
        good &= spmv_enqueue(plan, 1, address(x), 0, address(y[i]), &options) == SPMV_OK;
    }
    for (int i = 0; i < CAPTURES && good; i++) {
        graph[i] = capture(plan, last, i + 1, i % 2 ? x : app.x, y[i % SLOTS], &status, &err);
        good = graph[i] != NULL && status == SPMV_OK;
    }
    ok(good, "a plan with a workspace is captured %d times although its slots were used, disorder "
       "%d: %s", CAPTURES, overtaking, err.text);
    ok(spmv_execute(plan, 1, s->x, 0, result, NULL) == SPMV_OK &&
           sample_is_right(s, result, 1, 0, 0), "executes have the plan's own slot still");
    for (int i = 0; i < SLOTS && good; i++)
        more.GraphLaunch(graph[i], stream[i]);
    for (int i = 0; i < SLOTS && good; i++)
        good = app_reads_right(stream[i], y[i], (i % 2 ? -3 : 1) * (i + 1), 0, 0);
    ok(good, "graphs of two vectors run side by side, and each is right");
    for (int i = 0; i < CAPTURES; i++)
        if (graph[i] != NULL)
            more.GraphDestroy(graph[i]);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    cu.MemFree(x);
    for (int i = 0; i < SLOTS; i++)
        cu.MemFree(y[i]);
    cu.StreamDestroy(last);
    end_streams(stream, SLOTS);
    app_end(&app);
    ok(is_clean(), "and all objects are released");
}

/* A graph gives its workspace back when it is destroyed, but not before its launches have ended;
 * and it may be destroyed after the plan. */
static void test_captures_in_turn(int overtaking)
{
    enum { CAPTURES = 1000 };
    spmv_device *device = NULL;
    spmv_cuda_stream second = NULL;
    spmv_cuda_pointer y = 0;
    spmv_cuda_graph graph = NULL, kept = NULL;
    spmv_error err = {SPMV_OK, ""};
    spmv_status status;
    cuda_app app;
    int good = 1, live = 0;

    cuda_reset();
    mock->overtaking = overtaking;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    cu.StreamCreate(&second, CU_STREAM_NON_BLOCKING);
    cu.MemAlloc(&y, ROWS * sizeof(double));
    spmv_plan *plan = open_alone(app.stream, &device);
    app_write(&app, app.x, s->x);
    for (int i = 0; i < CAPTURES && good; i++) {
        graph = capture(plan, second, i, app.x, app.y, &status, &err);
        good = graph != NULL && status == SPMV_OK;
        if (graph == NULL)
            break;
        more.GraphLaunch(graph, second);
        more.GraphDestroy(graph);
        kept = capture(plan, app.stream, 2 * i, app.x, y, &status, &err);
        good = good && kept != NULL && status == SPMV_OK;
        more.GraphLaunch(kept, app.stream);
        good = good && app_reads_right(app.stream, y, 2 * i, 0, 0) &&
               app_reads_right(second, app.y, i, 0, 0);
        if (i == 10)
            live = live_objects();
        if (i + 1 < CAPTURES)
            more.GraphDestroy(kept);
    }
    ok(good, "a plan is captured %d times, in graphs that are destroyed while they run: %s",
       2 * CAPTURES, err.text);
    ok(live_objects() == live, "workspaces are used again: %d objects, later %d", live,
       live_objects());
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    more.GraphDestroy(kept);
    cu.MemFree(y);
    cu.StreamDestroy(second);
    app_end(&app);
    ok(is_clean(), "a graph is destroyed after its plan, and all objects are released");
}

/* A graph that cannot keep its workspace: the enqueue reports it, the next capture is right. */
static void test_capture_failures(void)
{
    static const char *const functions[] = {"cuUserObjectCreate", "cuGraphRetainUserObject"};

    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        spmv_device *device = NULL;
        spmv_error err = {SPMV_OK, ""};
        spmv_status first, second;
        cuda_app app;

        cuda_reset();
        app_begin(&app, CU_STREAM_NON_BLOCKING);
        spmv_plan *plan = open_alone(app.stream, &device);
        app_write(&app, app.x, s->x);
        mock->failing = functions[f];
        mock->fail_at = 1;
        mock->code = CU_OUT_OF_MEMORY;
        more.GraphDestroy(capture(plan, app.stream, 1, app.x, app.y, &first, &err));
        spmv_cuda_graph graph = capture(plan, app.stream, 2, app.x, app.y, &second, NULL);
        more.GraphLaunch(graph, app.stream);
        ok(first == SPMV_OUT_OF_MEMORY && second == SPMV_OK &&
               strstr(err.text, "spmv_enqueue: CUDA cannot let a graph keep its workspace") &&
               app_reads_right(app.stream, app.y, 2, 0, 0), "%s fails: %s", functions[f], err.text);
        more.GraphDestroy(graph);
        spmv_plan_destroy(plan);
        spmv_device_close(device);
        app_end(&app);
        ok(is_clean(), "and all objects are released");
    }
}

/* What an enqueue of two kernels with a workspace costs, in the device's stream and in another. */
static void test_calls_with_workspace(int overtaking)
{
    spmv_device *device = NULL;
    spmv_cuda_stream second = NULL, used[2];
    cuda_app app;
    int good = 1, calls[2] = {0, 0};

    cuda_reset();
    mock->overtaking = overtaking;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    cu.StreamCreate(&second, CU_STREAM_NON_BLOCKING);
    used[0] = app.stream;
    used[1] = second;
    spmv_plan *plan = open_alone(app.stream, &device);
    app_write(&app, app.x, s->x);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            const spmv_enqueue_options options = {.struct_size = sizeof options, .queue = used[k]};
            calls[k] = mock->all_calls;
            good &= spmv_enqueue(plan, i, address(app.x), 0, address(app.y), &options) == SPMV_OK;
            calls[k] = mock->all_calls - calls[k];
            good &= app_reads_right(used[k], app.y, i, 0, 0);
        }
    ok(good && calls[0] == 6, "two kernels in the device's stream take 6 calls: %d", calls[0]);
    ok(good && calls[1] == 10, "in another stream 10, two of them for events: %d", calls[1]);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    cu.StreamDestroy(second);
    app_end(&app);
    ok(is_clean(), "and all objects are released");
}

/* One kernel without a workspace: five calls of the driver, and any number of captures. */
static void test_single(int overtaking)
{
    enum { CAPTURES = 1000 };
    spmv_device *device = NULL;
    spmv_cuda_stream second = NULL;
    spmv_cuda_graph graph[CAPTURES] = {NULL};
    spmv_error err = {SPMV_OK, ""};
    spmv_status status;
    cuda_app app;
    int good = 1, calls = 0;

    cuda_reset();
    mock->overtaking = overtaking;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    cu.StreamCreate(&second, CU_STREAM_NON_BLOCKING);
    toy_open("cuda", toy_single_modules, app.stream, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    const spmv_enqueue_options options = {.struct_size = sizeof options, .queue = second};
    app_write(&app, app.x, s->x);
    for (int i = 0; i < 3 && good; i++) {
        calls = mock->all_calls;
        good = spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), &options) == SPMV_OK;
        calls = mock->all_calls - calls;
        good = good && app_reads_right(second, app.y, 1, 0, 0);
    }
    ok(good && calls == 5, "an enqueue of one kernel takes 5 calls of the driver: %d", calls);
    for (int i = 0; i < CAPTURES && good; i++) {
        graph[i] = capture(plan, second, 1, app.x, app.y, &status, &err);
        good = graph[i] != NULL && status == SPMV_OK;
    }
    ok(good, "and is captured %d times: %s", CAPTURES, err.text);
    for (int i = 0; i < CAPTURES && good; i += 99) {
        app_fill(&app, app.y, i);
        more.GraphLaunch(graph[i], second);
        good = app_reads_right(second, app.y, 1, 0, 0);
    }
    ok(good, "each graph is right");
    for (int i = 0; i < CAPTURES; i++)
        if (graph[i] != NULL)
            more.GraphDestroy(graph[i]);
    more.StreamBeginCapture(second, CU_CAPTURE_MODE_GLOBAL);
    good = spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK;
    spmv_plan_destroy(plan);
    ok(more.StreamEndCapture(second, &graph[0]) == CU_SUCCESS && good,
       "a plan is destroyed behind its enqueue, beside a capture of another stream");
    more.GraphDestroy(graph[0]);
    ok(app_reads_right(app.stream, app.y, 1, 0, 0), "and the enqueue is right");
    spmv_device_close(device);
    cu.StreamDestroy(second);
    app_end(&app);
    ok(is_clean(), "and all objects are released");
}

/* Multiplications of one capture in one stream share a slot: their number is not limited. */
static void test_long_capture(int overtaking)
{
    enum { COUNT = 1000 };
    spmv_device *device = NULL;
    spmv_cuda_graph graph[2] = {NULL, NULL};
    spmv_cuda_stream stream[2];
    cuda_app app;
    int good = 1;

    cuda_reset();
    mock->overtaking = overtaking;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    make_streams(stream, 2);
    spmv_plan *plan = open_alone(app.stream, &device);
    app_write(&app, app.x, s->x);
    for (int g = 0; g < 2; g++)
        more.StreamBeginCapture(stream[g], CU_CAPTURE_MODE_GLOBAL);
    for (int i = 1; i <= COUNT; i++)
        for (int g = 0; g < 2; g++) {
            const spmv_enqueue_options options = {.struct_size = sizeof options,
                                                  .queue = stream[g]};
            good &= spmv_enqueue(plan, i + g, address(app.x), 0, address(app.y), &options) ==
                    SPMV_OK;
        }
    for (int g = 0; g < 2; g++)
        good &= more.StreamEndCapture(stream[g], &graph[g]) == CU_SUCCESS;
    ok(good, "two captures at once, each of %d multiplications, disorder %d", COUNT, overtaking);
    for (int g = 0; g < 2 && good; g++) {
        more.GraphLaunch(graph[g], stream[g]);
        good = app_reads_right(stream[g], app.y, COUNT + g, 0, 0);
    }
    ok(good, "their graphs are right");
    good = 1;
    for (int i = 0; i < 20; i++)
        good &= spmv_enqueue(plan, 2, address(app.x), 0, address(app.y), NULL) == SPMV_OK;
    ok(good && app_reads_right(app.stream, app.y, 2, 0, 0), "and so are enqueues beside them");
    for (int g = 0; g < 2; g++)
        if (graph[g] != NULL)
            more.GraphDestroy(graph[g]);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    end_streams(stream, 2);
    app_end(&app);
    ok(is_clean(), "and all objects are released");
}

/* Calls that cannot be captured are refused and do not spoil the capture. Other streams work beside
 * a capture. */
static void test_capture_limits(void)
{
    spmv_device *device = NULL;
    spmv_cuda_graph graph = NULL;
    spmv_error err = {SPMV_OK, ""};
    spmv_status status;
    double y[ROWS];
    spmv_cuda_stream second = NULL;
    cuda_app app;

    cuda_reset();
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    cu.StreamCreate(&second, CU_STREAM_NON_BLOCKING);
    open_cuda(app.stream, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    app_write(&app, app.x, s->x);
    graph = capture(plan, second, 1, app.x, app.y, &status, &err);
    ok(status == SPMV_UNSUPPORTED && graph != NULL &&
           strstr(err.text,
                  "step 'halve' of toy_device_f64_i32 runs on the host, for which a graph cannot "
                  "wait") != NULL,
       "a method with host steps: %s", err.text);
    more.GraphDestroy(graph);

    more.StreamBeginCapture(app.stream, CU_CAPTURE_MODE_GLOBAL);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_UNSUPPORTED,
       "an execute in a captured stream");
    ok(spmv_plan_update_values(plan, s->csr.val, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "is being captured; make and update plans before") != NULL, "%s", err.text);
    ok(make_plan(device, &err) == NULL && err.status == SPMV_UNSUPPORTED, "%s", err.text);
    ok(more.StreamEndCapture(app.stream, &graph) == CU_SUCCESS, "none of which spoils the capture");
    more.GraphDestroy(graph);

    more.StreamBeginCapture(second, CU_CAPTURE_MODE_GLOBAL);
    spmv_plan *beside = make_plan(device, &err);
    ok(beside != NULL && spmv_execute(beside, 1, s->x, 0, y, NULL) == SPMV_OK &&
           sample_is_right(s, y, 1, 0, 0),
       "plans and executes beside a capture in another stream work");
    spmv_plan_destroy(beside);
    ok(more.StreamEndCapture(second, &graph) == CU_SUCCESS, "and do not spoil it");
    more.GraphDestroy(graph);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "the plan works as before");
    int mode = CU_CAPTURE_MODE_GLOBAL;
    cu.ThreadExchangeStreamCaptureMode(&mode);
    ok(mode == CU_CAPTURE_MODE_GLOBAL, "and the thread's capture mode is unchanged");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    cu.StreamDestroy(second);
    app_end(&app);
    ok(is_clean(), "and all objects are released");
}

/* ---- each call failing in turn --------------------------------------------------------------- */

/* 1: everything works; 0: an error is reported; -1: an error is missed, or the plan does not work
 * afterwards. */
static int live_once(const cuda_app *app)
{
    spmv_device *device = NULL;
    spmv_cuda_event ended = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_enqueue_options options = { .struct_size = sizeof options,
                                           .event = &ended,
                                           .err = &err };
    int result = 0;
    spmv_plan *plan = open_alone(app->stream, &device);

    app_fill(app, app->y, 5);
    if (plan != NULL) {
        result = spmv_enqueue(plan, 2, address(app->x), 0, address(app->y), &options) == SPMV_OK;
        if (result == 1 && (ended == NULL || !app_reads_right(app->stream, app->y, 2, 0, 0)))
            result = -1;
        if (result == 0 && (ended != NULL || err.text[0] == '\0'))
            result = -1;
        mock->failing = NULL;
        if (spmv_enqueue(plan, 3, address(app->x), 0, address(app->y), NULL) != SPMV_OK ||
            !app_reads_right(app->stream, app->y, 3, 0, 0))
            result = -1;
    }
    mock->failing = NULL;
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    if (ended != NULL)
        cu.EventDestroy(ended);
    return result;
}

static void test_failures(void)
{
    static const struct {
        const char *function;
        int is_harmless;
    } functions[] = {
        { "cuStreamGetCtx", 0 },        { "cuCtxGetDevice", 0 },
        { "cuCtxPushCurrent_v2", 0 },   { "cuEventCreate", 0 },
        { "cuEventRecord", 0 },         { "cuLaunchKernel", 0 },
        { "cuPointerGetAttributes", 1 }, { "cuStreamIsCapturing", 0 },
        { "cuMemAlloc_v2", 0 },
    };

    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        int good = 1, clean = 1, tried = 0;
        for (int at = 1; at < 100; at++) {
            cuda_app app;
            cuda_reset();
            app_begin(&app, CU_STREAM_NON_BLOCKING);
            app_write(&app, app.x, s->x);
            mock->failing = functions[f].function;
            mock->fail_at = at;
            mock->code = CU_OUT_OF_MEMORY;
            mock->calls = 0;
            const int result = live_once(&app);
            const int calls = mock->calls;
            app_end(&app);
            clean &= is_clean();
            if (calls < at)
                break;
            tried++;
            if (result < 0)
                diag("call %d", at);
            good &= result == 0 || (functions[f].is_harmless && result == 1);
        }
        ok(tried > 0 && good && clean,
           "%s fails at each of its %d calls: reported, the next enqueue is right",
           functions[f].function, tried);
    }
}

int main(int argc, char **argv)
{
    cuda_begin(argc, argv, CUDA_NOW);
    test_own_stream("a stream", CU_STREAM_NON_BLOCKING, NULL);
    test_own_stream("a stream that keeps order with the default stream", 0, NULL);
    test_own_stream("the default stream", 0, CU_STREAM_LEGACY);
    test_own_stream("the thread's stream", 0, CU_STREAM_PER_THREAD);
    test_whose_context();
    test_queue_errors();
    test_default_stream();
    for (int is_alone = 0; is_alone < 2; is_alone++) {
        test_enqueue(is_alone, 1);
        test_enqueue(is_alone, NEVER);
    }
    for (int overtaking = 1; overtaking <= 4; overtaking++) {
        test_overlap(0, overtaking);
        test_overlap(1, overtaking);
        test_execute_behind(overtaking);
    }
    test_enqueue_errors();
    test_host_step_error();
    test_pieces();
    test_capture();
    for (int is_managed = 0; is_managed < 4; is_managed++)
        test_capture_values(is_managed);
    for (int overtaking = 1; overtaking <= 2; overtaking++) {
        test_matrix_on_device(0, overtaking);
        test_matrix_on_device(1, overtaking);
    }
    test_matrix_errors();
    for (int overtaking = 1; overtaking <= 4; overtaking++)
        test_many_captures(overtaking, overtaking > 2);
    for (int overtaking = 1; overtaking <= 2; overtaking++) {
        test_captures_in_turn(overtaking);
        test_calls_with_workspace(overtaking);
        test_single(overtaking);
        test_long_capture(overtaking);
    }
    test_capture_limits();
    test_capture_failures();
    test_failures();
    cuda_end();
    return tap_done();
}
