/* test_cuda_memory.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK: the memory that the CUDA backend
 * shares with its caller: managed memory, at any time and in turns, and vectors in device memory.
 * The mock runs commands as late as it may. Host code that accesses device memory crashes; accesses
 * of managed memory out of turn are counted. */
#define _POSIX_C_SOURCE 200809L
#include "cuda_client.h"
#include "../tap.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    const char *name;
    int is_integrated, has_managed, is_concurrent;
    int layout_is_shared;        /* a layout lives as long as its plan, so not in turns */
} ways[] = {
    {"separate", 1, 0, 0, 0},
    {"in turns", 1, 1, 0, 0},
    {"at any time", 1, 1, 1, 1},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void set_device(int way)
{
    cuda_reset();
    mock->is_integrated = ways[way].is_integrated;
    mock->has_managed = ways[way].has_managed;
    mock->has_concurrent_managed = ways[way].is_concurrent;
    toy_device_program.memory = SPMV_MEMORY_UNIFIED;
}

static void test_memory(int way)
{
    const char *name = ways[way].name;
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    double *y = sample_vector(s, ROWS, NAN);

    set_device(way);
    open_cuda(NULL, &device, &err);
    spmv_plan *plan = make_plan(device, &err);
    /* Managed are the layout's array and the workspace of the host step. */
    ok(plan != NULL && mock->managed == (way > 0) + ways[way].layout_is_shared,
       "%s: a plan has %d managed allocations: %s", name, mock->managed, err.text);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "%s: vectors that are not of spmv_alloc", name);
    ok(multiply_shared(device, plan), "%s: vectors of spmv_alloc", name);
    ok(spmv_plan_update_values(plan, s->csr.val, &err) == SPMV_OK && multiply_shared(device, plan),
       "%s: after new values", name);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "%s: all is freed, and nothing used out of turn", name);
    free(y);
}

/* Vectors in device memory are used in place; a host step gets a copy of y. */
static void test_device_vectors(int way)
{
    spmv_device *device = NULL;
    cuda_app app;

    set_device(way);
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    open_cuda(app.stream, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    app_write(&app, app.x, s->x);
    app_fill(&app, app.y, 3);
    ok(spmv_execute(plan, 2, address(app.x), -1, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 2, -1, 3), "%s: an execute on vectors of the device",
       ways[way].name);
    ok(spmv_execute(plan, 1, s->x, 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 1, 0, 0), "%s: y of the device, x of the host",
       ways[way].name);
    ok(spmv_execute(plan, 1, address(app.x + 8), 0, address(app.y), NULL) == SPMV_INVALID_ARGUMENT,
       "%s: a vector that reaches over its allocation's end is refused", ways[way].name);
    ok(spmv_execute_columns(plan, SPMV_COLUMN_MAJOR, 1, 1, address(app.x), COLS, 0, address(app.y),
                            ROWS, NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 1, 0, 0) &&
       spmv_execute_columns(plan, SPMV_ROW_MAJOR, 1, 1, address(app.x), 1, 0, address(app.y), 1,
                            NULL) == SPMV_INVALID_ARGUMENT,
       "%s: vectors of the device by columns; by rows they are refused, since the host copies them",
       ways[way].name);
    ok(has_context(app.context), "%s: the caller's context stays", ways[way].name);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    app_end(&app);
    ok(is_clean(), "%s: all is freed", ways[way].name);
}

/* Managed memory of the application is used in place, too. */
static void test_managed_of_caller(int way)
{
    spmv_device *device = NULL;
    spmv_cuda_pointer x = 0, y = 0;
    cuda_app app;

    set_device(way);
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    open_cuda(app.stream, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    cu.MemAllocManaged(&x, COLS * sizeof(double), CU_MEM_ATTACH_GLOBAL);
    cu.MemAllocManaged(&y, ROWS * sizeof(double), CU_MEM_ATTACH_GLOBAL);
    memcpy(address(x), s->x, COLS * sizeof(double));
    const int found = transfers(plan, address(x), address(y));
    ok(found == 0 && sample_is_right(s, address(y), 1, 0, 0),
       "%s: %d copies in a multiplication of managed vectors", ways[way].name, found);
    cu.MemFree(x);
    cu.MemFree(y);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    app_end(&app);
    ok(is_clean(), "%s: managed vectors of the caller, none used out of turn", ways[way].name);
}

/* ---- the choice of sharing ----------------------------------------------------------------- */

static void test_forced(void)
{
    static const struct {
        const char *value;
        int has_managed, is_concurrent;
        spmv_status status;
        int is_shared;
        const char *expected;
    } cases[] = {
        {"separate", 1, 1, SPMV_OK, 0, ""},
        {"unified", 1, 1, SPMV_OK, 1, ""},
        {"unified", 1, 0, SPMV_OK, 1, ""},
        {"unified", 0, 0, SPMV_UNSUPPORTED, 0,
         "SPMV_MEMORY is 'unified', but the device 'Mock device (sm_90)' has no managed memory"},
        {"fine", 1, 1, SPMV_INVALID_ARGUMENT, 0,
         "SPMV_MEMORY is 'fine'; expected separate or unified"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_device *device = NULL;
        spmv_error err = {SPMV_OK, ""};

        set_device(2);
        mock->is_integrated = cases[i].is_shared == 0;
        mock->has_managed = cases[i].has_managed;
        mock->has_concurrent_managed = cases[i].is_concurrent;
        toy_device_program.memory = cases[i].is_shared ? SPMV_MEMORY_DISCRETE : SPMV_MEMORY_UNIFIED;
        setenv("SPMV_MEMORY", cases[i].value, 1);
        const spmv_status status = open_cuda(NULL, &device, &err);
        unsetenv("SPMV_MEMORY");
        ok(status == cases[i].status && strstr(err.text, cases[i].expected) != NULL,
           "SPMV_MEMORY=%s: %s", cases[i].value, err.text);
        if (status == SPMV_OK) {
            spmv_plan *plan = make_plan(device, NULL);
            ok((mock->managed > 0) == cases[i].is_shared && multiply_shared(device, plan),
               "SPMV_MEMORY=%s: whatever device and page say", cases[i].value);
            spmv_plan_destroy(plan);
        }
        spmv_device_close(device);
        ok(is_clean(), "SPMV_MEMORY=%s: nothing is left", cases[i].value);
    }
}

/* A discrete card shares layouts if the page says so and access is concurrent; vectors are copied
 * all the same. */
static void test_card(void)
{
    static const struct {
        int is_concurrent;
        spmv_memory memory;
        int managed;
        const char *name;
    } cases[] = {
        {1, SPMV_MEMORY_DISCRETE, 0, "a card gets copies"},
        {1, SPMV_MEMORY_UNIFIED, 2, "a card whose page says unified shares"},
        {0, SPMV_MEMORY_UNIFIED, 0, "an old card gets copies: launches would move all memory"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spmv_device *device = NULL;
        void *memory = NULL;

        set_device(2);
        mock->is_integrated = 0;
        mock->has_concurrent_managed = cases[i].is_concurrent;
        toy_device_program.memory = cases[i].memory;
        open_cuda(NULL, &device, NULL);
        spmv_plan *plan = make_plan(device, NULL);
        spmv_alloc(device, 8, &memory);
        ok(mock->managed == cases[i].managed && multiply_shared(device, plan), "%s: %d allocations",
           cases[i].name, mock->managed);
        spmv_free(device, memory);
        spmv_plan_destroy(plan);
        spmv_device_close(device);
        ok(is_clean(), "%s: all is freed", cases[i].name);
    }
}

/* ---- 32-bit hosts, with two address spaces --------------------------------------------------- */

static void test_two_address_spaces(void)
{
    spmv_device *device = NULL;
    cuda_app app;

    set_device(1);
    mock->has_one_address_space = 0;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    spmv_plan *plan = open_alone(app.stream, &device);
    app_write(&app, app.x, s->x);
    ok(spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 1, 0, 0), "an enqueue recognises device memory");
    ok(spmv_enqueue(plan, 1, s->x, 0, address(app.y), NULL) == SPMV_INVALID_ARGUMENT,
       "and refuses host memory");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    open_cuda(app.stream, &device, NULL);
    plan = make_plan(device, NULL);
    ok(multiply_shared(device, plan), "vectors of spmv_alloc are recognised");
    app_end_clean(&app, plan, device);
}

/* ---- concurrent executes ------------------------------------------------------------------- */

enum { THREADS = 8, REPEATS = 50 };

static struct shared_work {
    spmv_device *device;
    spmv_plan *plan;
} at_once;

/* The host reads y between the executes of its thread. In turns it may not read managed memory
 * then, since other threads execute: so vectors are in host memory, and only host steps use managed
 * memory. */
static void *work(void *is_in_turns)
{
    void *y = NULL;
    char *workspace = aligned_alloc(SPMV_ALIGNMENT, 4096);
    double *own = sample_vector(s, ROWS, 0);
    intptr_t good = is_in_turns != NULL ||
                    spmv_alloc(at_once.device, ROWS * sizeof(double), &y) == SPMV_OK;

    for (int i = 0; i < REPEATS && good; i++)
        good = spmv_execute(at_once.plan, 1, s->x, 0, y != NULL ? y : own, workspace) == SPMV_OK &&
               sample_is_right(s, y != NULL ? y : own, 1, 0, 0);
    spmv_free(at_once.device, y);
    free(workspace);
    free(own);
    return (void *)good;
}

static void test_at_once(int way)
{
    pthread_t thread[THREADS];
    int good = 1;

    set_device(way);
    open_cuda(NULL, &at_once.device, NULL);
    at_once.plan = make_plan(at_once.device, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, way == 1 ? &at_once : NULL);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(thread[i], &result);
        good &= result != NULL;
    }
    ok(good, "%s: %d threads execute a plan", ways[way].name, THREADS);
    spmv_plan_destroy(at_once.plan);
    spmv_device_close(at_once.device);
    ok(is_clean(), "%s: none used memory out of turn, and all is freed", ways[way].name);
}

/* The duration of the host step below. */
enum { LONG = 300000000 };               /* nanoseconds */
static atomic_int is_in_host_step;

static spmv_status take_long(void)
{
    const struct timespec time = {0, LONG};

    if (!atomic_exchange(&is_in_host_step, 1))
        nanosleep(&time, NULL);
    return SPMV_OK;
}

static long used_nanoseconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *execute_long(void *y)
{
    return spmv_execute(at_once.plan, 1, s->x, 0, y, NULL) == SPMV_OK ? y : NULL;
}

/* An execute that waits for its turn does not use the CPU. */
static void test_waiting(void)
{
    double *y = sample_vector(s, ROWS, 0), *other = sample_vector(s, ROWS, 0);
    char *workspace = aligned_alloc(SPMV_ALIGNMENT, 4096);
    pthread_t thread;
    void *result;
    long used;

    set_device(1);
    open_cuda(NULL, &at_once.device, NULL);
    at_once.plan = make_plan(at_once.device, NULL);
    if (!toy_before_host_steps(take_long)) {
        skip("the linker has no --wrap, which makes host steps take long");
    } else {
        pthread_create(&thread, NULL, execute_long, other);
        while (!atomic_load(&is_in_host_step))
            sched_yield();
        used = used_nanoseconds();
        ok(spmv_execute(at_once.plan, 1, s->x, 0, y, workspace) == SPMV_OK &&
           sample_is_right(s, y, 1, 0, 0), "in turns: an execute behind one that takes long");
        used = used_nanoseconds() - used;
        ok(used < LONG / 10, "waits without using the CPU: %ld us of it", used / 1000);
        pthread_join(thread, &result);
        ok(result != NULL && sample_is_right(s, other, 1, 0, 0), "and the long one is right");
    }
    toy_before_host_steps(NULL);
    spmv_plan_destroy(at_once.plan);
    spmv_device_close(at_once.device);
    free(workspace);
    free(other);
    free(y);
}

/* In turns, an enqueue that still runs in another stream ends before a host step uses the memory.
 *  */
static void test_beside_enqueue(void)
{
    spmv_device *device = NULL, *other = NULL;
    spmv_cuda_stream second = NULL;
    void *y = NULL;
    cuda_app app;

    set_device(1);
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    cu.StreamCreate(&second, CU_STREAM_NON_BLOCKING);
    spmv_plan *alone = open_alone(second, &device);
    open_cuda(app.stream, &other, NULL);
    spmv_plan *plan = make_plan(other, NULL);
    app_write(&app, app.x, s->x);
    spmv_alloc(other, ROWS * sizeof(double), &y);
    mock->overtaking = 1000;             /* the enqueue runs as late as possible */
    ok(spmv_enqueue(alone, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       spmv_execute(plan, 2, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 2, 0, 0) &&
       app_reads_right(second, app.y, 1, 0, 0), "in turns: an execute beside an enqueue");
    spmv_free(other, y);
    spmv_plan_destroy(plan);
    spmv_plan_destroy(alone);
    spmv_device_close(device);
    spmv_device_close(other);
    cu.StreamDestroy(second);
    app_end(&app);
    ok(is_clean(), "in turns: none used memory out of turn");
}

/* ---- each call failing in turn --------------------------------------------------------------- */

static int live_once(void)
{
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    void *x = NULL, *y = NULL;
    int result = 0;

    if (open_cuda(NULL, &device, NULL) == SPMV_OK && (plan = make_plan(device, NULL)) != NULL &&
        spmv_alloc(device, COLS * sizeof(double), &x) == SPMV_OK &&
        spmv_alloc(device, ROWS * sizeof(double), &y) == SPMV_OK) {
        memcpy(x, s->x, COLS * sizeof(double));
        if (spmv_execute(plan, 1, x, 0, y, NULL) == SPMV_OK)
            result = sample_is_right(s, y, 1, 0, 0) ? 1 : -1;
    }
    spmv_free(device, x);
    spmv_free(device, y);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    return result;
}

static void test_failures(int way)
{
    static const char *const functions[] = {
        "cuMemAllocManaged", "cuMemAlloc_v2", "cuStreamSynchronize", "cuCtxSynchronize",
        "cuPointerGetAttributes", "cuLaunchKernel",
    };

    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        int good = 1, clean = 1, tried = 0;
        for (int at = 1; at < 100; at++) {
            set_device(way);
            mock->failing = functions[f];
            mock->fail_at = at;
            mock->code = CU_OUT_OF_MEMORY;
            const int result = live_once();
            const int calls = mock->calls;
            clean &= is_clean();
            if (calls < at)
                break;
            tried++;
            good &= result == 0;
        }
        ok(good && clean, "%s: %s fails at each of its %d calls: reported, nothing left",
           ways[way].name, functions[f], tried);
    }
}

int main(int argc, char **argv)
{
    cuda_begin(argc, argv, CUDA_NOW);
    for (int way = 0; way < WAYS; way++) {
        test_memory(way);
        set_device(way);
        backend_test_copies(&cuda, ways[way].name, way == 0 ? 8 : 0);
        test_device_vectors(way);
        if (way > 0)
            test_managed_of_caller(way);
    }
    set_device(2);
    backend_test_shared_matrix(&cuda, "cuMemAlloc_v2", CU_OUT_OF_MEMORY);
    test_forced();
    test_card();
    test_two_address_spaces();
    for (int way = 0; way < WAYS; way++)
        test_at_once(way);
    test_waiting();
    test_beside_enqueue();
    test_failures(1);
    test_failures(2);
    cuda_end();
    return tap_done();
}
