/* test_cuda_queues.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK: the CUDA backend in contexts and
 * streams of the caller. The mock runs commands as late as it may, and unwritten memory holds
 * garbage, so a missing wait gives wrong results. */
#define _POSIX_C_SOURCE 200809L
#include "cuda_client.h"
#include "../tap.h"

#include <stdlib.h>
#include <string.h>

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
    app_end_clean(&app, plan, device);
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
    test_failures();
    cuda_end();
    return tap_done();
}
