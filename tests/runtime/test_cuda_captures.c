/* test_cuda_captures.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK: enqueues captured into graphs.
 * The mock runs commands as late as it may, and unwritten memory holds garbage, so a missing wait
 * gives wrong results. */
#define _POSIX_C_SOURCE 200809L
#include "cuda_client.h"
#include "../tap.h"

#include <stdlib.h>
#include <string.h>

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
    spmv_cuda_graph graph = app_capture(plan, second, 2, app.x, app.y, &status, &err);
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
    cu.MemFree(x);
    cu.MemFree(y);
    cu.StreamDestroy(second);
    app_end_clean(&app, plan, device);
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
    spmv_cuda_graph graph = app_capture(plan, app.stream, 2, app.x, app.y, &status, &err);
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
    spmv_plan_destroy(plan);     /* which may read val until now */
    for (int i = 0; i < 2; i++) {
        if (memory[i])
            cu.MemFree(memory[i]);
        else
            free(val[i]);
    }
    app_end_clean(&app, NULL, device);
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
    app_make_streams(stream, SLOTS);
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
        graph[i] = app_capture(plan, last, i + 1, i % 2 ? x : app.x, y[i % SLOTS], &status, &err);
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
    cu.MemFree(x);
    for (int i = 0; i < SLOTS; i++)
        cu.MemFree(y[i]);
    cu.StreamDestroy(last);
    app_end_streams(stream, SLOTS);
    app_end_clean(&app, plan, device);
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
        graph = app_capture(plan, second, i, app.x, app.y, &status, &err);
        good = graph != NULL && status == SPMV_OK;
        if (graph == NULL)
            break;
        more.GraphLaunch(graph, second);
        more.GraphDestroy(graph);
        kept = app_capture(plan, app.stream, 2 * i, app.x, y, &status, &err);
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
        more.GraphDestroy(app_capture(plan, app.stream, 1, app.x, app.y, &first, &err));
        spmv_cuda_graph graph = app_capture(plan, app.stream, 2, app.x, app.y, &second, NULL);
        more.GraphLaunch(graph, app.stream);
        ok(first == SPMV_OUT_OF_MEMORY && second == SPMV_OK &&
               strstr(err.text, "spmv_enqueue: CUDA cannot let a graph keep its workspace") &&
               app_reads_right(app.stream, app.y, 2, 0, 0), "%s fails: %s", functions[f], err.text);
        more.GraphDestroy(graph);
        app_end_clean(&app, plan, device);
    }
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
        graph[i] = app_capture(plan, second, 1, app.x, app.y, &status, &err);
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
    app_make_streams(stream, 2);
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
    app_end_streams(stream, 2);
    app_end_clean(&app, plan, device);
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
    graph = app_capture(plan, second, 1, app.x, app.y, &status, &err);
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
    cu.StreamDestroy(second);
    app_end_clean(&app, plan, device);
}

int main(int argc, char **argv)
{
    cuda_begin(argc, argv, CUDA_NOW);
    test_capture();
    for (int is_managed = 0; is_managed < 4; is_managed++)
        test_capture_values(is_managed);
    for (int overtaking = 1; overtaking <= 4; overtaking++)
        test_many_captures(overtaking, overtaking > 2);
    for (int overtaking = 1; overtaking <= 2; overtaking++) {
        test_captures_in_turn(overtaking);
        test_single(overtaking);
        test_long_capture(overtaking);
    }
    test_capture_limits();
    test_capture_failures();
    cuda_end();
    return tap_done();
}
