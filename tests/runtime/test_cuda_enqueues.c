/* test_cuda_enqueues.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK: enqueues in streams of the
 * caller. The mock runs commands as late as it may, and unwritten memory holds garbage, so a
 * missing wait gives wrong results. */
#define _POSIX_C_SOURCE 200809L
#include "cuda_client.h"
#include "../tap.h"

#include <stdlib.h>
#include <string.h>

enum { NEVER = 1 << 30 };        /* is a command overtaken */

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
    app_make_streams(stream, STREAMS);
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
    for (int i = 0; i < COUNT; i++) {
        cu.MemFree(x[i]);
        cu.MemFree(y[i]);
    }
    app_end_streams(stream, STREAMS);
    app_end_clean(&app, plan, device);
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
    app_make_streams(stream, SLOTS);
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
    app_end_streams(stream, SLOTS);
    app_end_clean(&app, plan, device);
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
    app_end_clean(&app, plan, device);
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
    app_end_clean(&app, plan, device);
    free(y);
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
    cu.StreamDestroy(second);
    app_end_clean(&app, plan, device);
}

int main(int argc, char **argv)
{
    cuda_begin(argc, argv, CUDA_NOW);
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
    for (int overtaking = 1; overtaking <= 2; overtaking++)
        test_calls_with_workspace(overtaking);
    cuda_end();
    return tap_done();
}
