/* test_opencl_sharing.c MOCK LIBRARY_WITHOUT_OPENCL: the memory that the OpenCL backend shares with
 * its caller, also when each call fails in turn. The mock runs commands as late as it may, and
 * memory out of turn holds garbage, so a missing wait gives wrong results. */
#define _POSIX_C_SOURCE 200809L
#include "opencl_caller.h"
#include "../tap.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    spmv_opencl_bits svm;
    int layout_is_shared;        /* a layout lives as long as its plan, so not in turns */
} ways[] = {
    {"separate", 0, 0},
    {"coarse", OCL_SVM_COARSE_GRAIN_BUFFER, 0},
    {"fine", OCL_SVM_COARSE_GRAIN_BUFFER | OCL_SVM_FINE_GRAIN_BUFFER, 1},
    {"system", OCL_SVM_COARSE_GRAIN_BUFFER | OCL_SVM_FINE_GRAIN_BUFFER | OCL_SVM_FINE_GRAIN_SYSTEM,
     0},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void set_device(int way)
{
    mock_reset();
    mock->is_unified = 1;
    mock->svm = ways[way].svm;
    toy_device_program.memory = SPMV_MEMORY_SVM;
}

/* ---- memory -------------------------------------------------------------------------------- */

static void test_memory(int way)
{
    const char *name = ways[way].name;
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    spmv_plan_info info = {.struct_size = sizeof info};
    double *y = sample_vector(s, ROWS, NAN);

    set_device(way);
    open_mock(NULL, &device, &err);
    spmv_plan *plan = make_plan(device, &err);
    ok(plan != NULL, "%s memory: a plan is made: %s", name, err.text);
    ok((mock->shared == 0) == (way == 0 || way == 3),
       "%s memory: %d shared allocations of the plan", name, mock->shared);
    ok(spmv_plan_query(plan, &info) == SPMV_OK &&
       spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "%s memory: vectors that are not of spmv_alloc", name);
    ok(multiply_shared(device, plan), "%s memory: vectors of spmv_alloc", name);
    ok(spmv_plan_update_values(plan, s->csr.val, &err) == SPMV_OK && multiply_shared(device, plan),
       "%s memory: after new values", name);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "%s memory: all is freed, and nothing used out of turn", name);
    free(y);
}

/* In turns, the host uses y in the middle of a multiplication; x lies in the same allocation. */
static void test_one_allocation(int way)
{
    spmv_device *device = NULL;
    char *both = NULL;

    set_device(way);
    open_mock(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    spmv_alloc(device, 2 * SPMV_ALIGNMENT * ROWS, (void **)&both);
    double *x = (double *)(void *)both;
    double *y = (double *)(void *)(both + SPMV_ALIGNMENT * ROWS);
    memcpy(x, s->x, COLS * sizeof(double));
    for (int i = 0; i < ROWS; i++)
        sample_set(s, y, i, 3);
    ok(spmv_execute(plan, 2, x, -1, y, NULL) == SPMV_OK && sample_is_right(s, y, 2, -1, 3) &&
       memcmp(x, s->x, COLS * sizeof(double)) == 0, "%s memory: x and y in one allocation",
       ways[way].name);
    spmv_free(device, both);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "%s memory: x and y in one allocation, none used out of turn", ways[way].name);
}

static void test_forced(void)
{
    static const struct {
        const char *value;
        spmv_status status;
        const char *expected;
    } cases[] = {
        { "separate", SPMV_OK, "" },
        { "coarse", SPMV_OK, "" },
        { "fine", SPMV_OK, "" },
        { "system", SPMV_UNSUPPORTED,
          "SPMV_MEMORY is 'system', but the device 'Mock device' has 'fine'" },
        { "shared", SPMV_INVALID_ARGUMENT,
          "SPMV_MEMORY is 'shared'; expected separate, coarse, fine" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_device *device = NULL;
        spmv_error err = {SPMV_OK, ""};

        set_device(2);
        mock->is_unified = 0;
        toy_device_program.memory = SPMV_MEMORY_DISCRETE;
        setenv("SPMV_MEMORY", cases[i].value, 1);
        const spmv_status status = open_mock(NULL, &device, &err);
        unsetenv("SPMV_MEMORY");
        ok(status == cases[i].status && strstr(err.text, cases[i].expected) != NULL,
           "SPMV_MEMORY=%s: %s", cases[i].value, err.text);
        if (status == SPMV_OK) {
            spmv_plan *plan = make_plan(device, NULL);
            ok((mock->shared > 0) == (i > 0) && multiply_shared(device, plan),
               "SPMV_MEMORY=%s: on a card and for a page of one, too", cases[i].value);
            spmv_plan_destroy(plan);
        }
        spmv_device_close(device);
        ok(is_clean(), "SPMV_MEMORY=%s: nothing is left", cases[i].value);
    }
    toy_device_program.memory = SPMV_MEMORY_SVM;
}

static void test_card(void)
{
    spmv_device *device = NULL;

    set_device(2);
    mock->is_unified = 0;
    open_mock(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    ok(mock->shared == 0 && multiply_shared(device, plan),
       "a discrete card gets copies although it could share");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    is_clean();
}

/* ---- concurrent executes ------------------------------------------------------------------- */

enum { THREADS = 8, REPEATS = 50 };

static struct shared_work {
    spmv_device *device;
    spmv_plan *plan;
    void *x;
} at_once;

static void *work(void *argument)
{
    void *y = NULL;
    char *workspace = aligned_alloc(SPMV_ALIGNMENT, 4096);
    intptr_t good = spmv_alloc(at_once.device, ROWS * sizeof(double), &y) == SPMV_OK;

    (void)argument;
    for (int i = 0; i < REPEATS && good; i++)
        good = spmv_execute(at_once.plan, 1, at_once.x, 0, y, workspace) == SPMV_OK &&
               sample_is_right(s, y, 1, 0, 0);
    spmv_free(at_once.device, y);
    free(workspace);
    return (void *)good;
}

/* Concurrent executes share x: the first one maps it to the device, the last one back. */
static void test_at_once(int way)
{
    pthread_t thread[THREADS];
    int good = 1;

    set_device(way);
    open_mock(NULL, &at_once.device, NULL);
    at_once.plan = make_plan(at_once.device, NULL);
    spmv_alloc(at_once.device, COLS * sizeof(double), &at_once.x);
    memcpy(at_once.x, s->x, COLS * sizeof(double));
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(thread[i], &result);
        good &= result != NULL;
    }
    ok(good, "%s memory: %d threads share x", ways[way].name, THREADS);
    spmv_free(at_once.device, at_once.x);
    spmv_plan_destroy(at_once.plan);
    spmv_device_close(at_once.device);
    ok(is_clean(), "%s memory: all is freed", ways[way].name);
}

/* ---- each call failing in turn --------------------------------------------------------------- */

/* 1: everything works; 0: an error is reported; -1: an error is missed. */
static int live(void)
{
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    void *x = NULL, *y = NULL;
    spmv_opencl_event ended = NULL;
    const spmv_enqueue_options options = {.struct_size = sizeof options, .event = &ended};
    int result = 0;

    own.write(own.queue, own.x, 1, 0, COLS * sizeof(double), s->x, 0, NULL, NULL);
    if (open_mock(own.queue, &device, NULL) == SPMV_OK &&
        (plan = make_plan(device, NULL)) != NULL &&
        spmv_alloc(device, COLS * sizeof(double), &x) == SPMV_OK &&
        spmv_alloc(device, ROWS * sizeof(double), &y) == SPMV_OK) {
        memcpy(x, s->x, COLS * sizeof(double));
        if (spmv_execute(plan, 1, x, 0, y, NULL) == SPMV_OK)
            result = sample_is_right(s, y, 1, 0, 0) ? 1 : -1;
        if (result == 1 && spmv_enqueue(plan, 2, own.x, 0, own.y, &options) != SPMV_OK)
            result = 0;
        if (result == 1)
            result = reads_right(own.queue, ended, 2, 0, 0) ? 1 : -1;
    }
    spmv_free(device, x);
    spmv_free(device, y);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    if (ended != NULL)
        own.release_event(ended);
    return result;
}

static void test_failures(int way)
{
    static const struct {
        const char *function;
        int is_harmless;         /* memory is then not shared, or Finish waits instead */
    } functions[] = {
        {"GetCommandQueueInfo", 0}, {"GetDeviceInfo", 1}, {"RetainContext", 0},
        {"RetainCommandQueue", 0}, {"SVMAlloc", 0}, {"EnqueueSVMMap", 0}, {"EnqueueSVMUnmap", 0},
        {"SetKernelArgSVMPointer", 0}, {"GetMemObjectInfo", 0}, {"EnqueueMarkerWithWaitList", 0},
        {"Flush", 0}, {"RetainEvent", 0}, {"WaitForEvents", 1},
    };

    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        int good = 1, clean = 1, tried = 0;
        for (int at = 1; at < 100; at++) {
            set_device(way);
            own_begin(OCL_QUEUE_OUT_OF_ORDER);
            mock->failing = functions[f].function;
            mock->fail_at = at;
            mock->code = -5;
            const int result = live();
            const int calls = (own_end(), is_clean(), mock->calls);
            clean &= is_clean();
            if (calls < at)
                break;
            tried++;
            good &= result == 0 || (functions[f].is_harmless && result == 1);
        }
        ok(good && clean, "%s memory: cl%s fails at each of its %d calls: reported, nothing left",
           ways[way].name, functions[f].function, tried);
    }
}

/* ---- after a call that failed ---------------------------------------------------------------- */

/* Two executes of one plan; call `at` of the function fails in the first. -1: the first makes fewer
 * calls; 0: the second execute is wrong, or memory was used out of turn. */
static int recovers(int way, const char *function, int at, int is_profile)
{
    spmv_step_time time[SPMV_MAX_STEPS];
    spmv_device *device = NULL;
    void *x = NULL, *y = NULL;
    int32_t count;
    int result = 1;

    set_device(way);
    own_begin(is_profile ? 0 : OCL_QUEUE_OUT_OF_ORDER);
    mock->overtaking = 3;
    open_mock(own.queue, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    spmv_alloc(device, COLS * sizeof(double), &x);
    spmv_alloc(device, ROWS * sizeof(double), &y);
    memcpy(x, s->x, COLS * sizeof(double));
    mock->code = -5;
    mock->fail_at = at;
    mock->failing = function;
    if (is_profile)
        spmv_execute_profile(plan, 1, x, 0, y, NULL, time, &count);
    else
        spmv_execute(plan, 1, x, 0, y, NULL);
    mock->failing = NULL;
    if (mock->calls < at)
        result = -1;
    else if (spmv_execute(plan, 1, x, 0, y, NULL) != SPMV_OK || !sample_is_right(s, y, 1, 0, 0))
        result = 0;
    spmv_free(device, x);
    spmv_free(device, y);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    own_end();
    return is_clean() || result < 0 ? result : 0;
}

static void test_recovery(int way)
{
    static const char *const functions[] = {
        "EnqueueReadBuffer", "EnqueueWriteBuffer", "EnqueueNDRangeKernel", "WaitForEvents",
        "SetKernelArg", "SetKernelArgSVMPointer", "EnqueueSVMMap", "EnqueueSVMUnmap", "Finish",
        "CreateBuffer",
    };

    int tried = 0, bad = 0;

    for (size_t f = 0; f < 2 * sizeof functions / sizeof functions[0]; f++) {
        const char *function = functions[f / 2];
        int result = 1;
        for (int at = 1; result >= 0; at++) {
            result = recovers(way, function, at, f % 2);
            tried += result >= 0;
            bad += result == 0;
            if (result == 0)
                diag("call %d of cl%s", at, function);
        }
    }
    ok(bad == 0 && tried > 0,
       "%s memory: after each of %d calls that fails, the next execute is right", ways[way].name,
       tried);
}

int main(int argc, char **argv)
{
    mock_begin(argc, argv);
    for (int way = 0; way < WAYS; way++) {
        test_memory(way);
        set_device(way);
        backend_test_copies(&opencl, ways[way].name, way == 0 ? 8 : 0);
        test_one_allocation(way);
    }
    set_device(2);
    backend_test_shared_matrix(&opencl, "CreateBuffer", -5);
    test_forced();
    test_card();
    for (int way = 0; way < WAYS; way++)
        test_at_once(way);
    test_failures(1);
    test_failures(2);
    for (int way = 0; way < WAYS; way++)
        test_recovery(way);
    mock_end();
    return tap_done();
}
