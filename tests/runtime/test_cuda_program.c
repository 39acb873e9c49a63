/* test_cuda_program.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK: the sources of programs of the
 * CUDA backend: a built-in binary, the cache, NVRTC; the architecture of each; and the error if
 * none has a program. Plans share programs, and live in contexts that may be shared, too, or
 * destroyed. toy_device has a binary here; toy_alone has none. */
#define _XOPEN_SOURCE 700
#include "runtime/device/binaries.h"
#include "cuda_client.h"
#include "folder.h"
#include "../tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Replaces the library's table. */
static const spmv_binary binaries[] = {
    {"toy_alone_f64_i32", 999, 50, "FATBIN of other sources", 24},
    {"toy_device_f64_i32", 7, 50, "FATBIN 50", 10},
    {NULL, 0, 0, NULL, 0},
};
const spmv_binary *const spmv_builtin_binaries[] = {binaries, NULL};

static const spmv_module *const *const built_in = toy_device_modules;
static const spmv_module *const *const text_alone = toy_alone_modules;

/* Makes a plan of the module and multiplies. Returns the error; SPMV_ABI_MISMATCH if objects are
 * left. */
static spmv_status live_with(const spmv_module *const *modules, spmv_error *err)
{
    spmv_device *device = NULL;
    double *y = sample_vector(s, ROWS, 0);
    spmv_plan *plan = NULL;

    *err = (spmv_error){SPMV_OK, ""};
    if (toy_open("cuda", modules, NULL, &device, err) == SPMV_OK)
        plan = make_plan(device, err);
    if (plan != NULL && (spmv_execute(plan, 1, s->x, 0, y, NULL) != SPMV_OK ||
                         !sample_is_right(s, y, 1, 0, 0)))
        err->status = SPMV_DEVICE_FAILED;
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    free(y);
    if (!is_clean())
        err->status = SPMV_ABI_MISMATCH;
    return err->status;
}

static void expect(const char *name, const spmv_module *const *modules, const char *image,
                   int compiled)
{
    spmv_error err;
    const spmv_status status = live_with(modules, &err);

    ok(status == SPMV_OK && strcmp(mock->image, image) == 0 && mock->compiled == compiled,
       "%s: loads '%s', compiles %d: %s", name, mock->image, mock->compiled, err.text);
}

static void expect_error(const char *name, const spmv_module *const *modules, spmv_status status,
                         const char *expected)
{
    spmv_error err;
    const spmv_status found = live_with(modules, &err);

    ok(found == status && strstr(err.text, expected) != NULL, "%s: %s", name,
       err.text);
}

/* ---- a binary that was built in -------------------------------------------------------------- */

static void test_built_in(const char *library)
{
    setenv("SPMV_NVRTC_LIBRARY", "/nowhere/libnvrtc.so", 1);
    cuda_reset();
    expect("a binary that was built in needs no NVRTC", built_in, "FATBIN 50", 0);
    mock->capability[0] = 32;
    expect_error(
        "an older device, and no NVRTC", built_in, SPMV_UNSUPPORTED,
        "spmv_plan_create: the binary of toy.cu that was built in is for compute capability 5.0 "
        "and newer: nothing to compile it with: no NVRTC (libnvrtc.so.13");
    cuda_reset();
    mock->refused = "FATBIN";
    expect_error(
        "a rejected binary, and no NVRTC", built_in, SPMV_UNSUPPORTED,
        "the binary that was built in is not taken: CUDA cannot load toy.cu on 'Mock device "
        "(sm_90)': error 218; its log: no such instruction: nothing to compile it with");
    cuda_reset();
    expect_error("a binary of other sources is ignored, and no NVRTC", text_alone, SPMV_UNSUPPORTED,
                 "no binary of toy.cu was built in: nothing to compile it with: no NVRTC");
    setenv("SPMV_NVRTC_LIBRARY", library, 1);
    cuda_reset();
    mock->refused = "FATBIN";
    expect("a rejected binary, and NVRTC", built_in, "CUBIN sm_90", 1);
}

/* ---- NVRTC ---------------------------------------------------------------------------------- */

static void test_compiled(const char *no_nvrtc, const char *library)
{
    const spmv_program kept = toy_device_program;

    cuda_reset();
    toy_device_program.options = " --fmad=false  --std=c++11 ";
    expect("a device that NVRTC knows", text_alone, "CUBIN sm_90", 1);
    ok(strcmp(mock->options, "--fmad=false --std=c++11 --gpu-architecture=sm_90") == 0,
       "the program's options come first: %s", mock->options);
    ok(strcmp(mock->source, "the mock knows its kernels by name\n") == 0, "its lines are one text");
    toy_device_program = kept;

    cuda_reset();
    mock->capability[0] = 121;
    expect("a newer device gets PTX of the newest that NVRTC knows", text_alone, "PTX compute_90",
           1);
    cuda_reset();
    mock->capability[0] = 87;
    expect("a device between two architectures gets PTX of the older one", text_alone,
           "PTX compute_86", 1);
    cuda_reset();
    mock->capability[0] = 35;
    expect_error(
        "a device older than all", text_alone, SPMV_UNSUPPORTED,
        "NVRTC 12.4 compiles for compute capability 5.0 and newer; 'Mock device (sm_35)' has "
        "3.5. Install an older NVRTC");
    cuda_reset();
    mock->capability[0] = 121;
    toy_device_program.capability = 100;
    expect_error(
        "a text that needs more than NVRTC knows", text_alone, SPMV_UNSUPPORTED,
        "NVRTC 12.4 compiles for compute capability 9.0 and older; toy.cu needs 10.0. Install a "
        "newer NVRTC");
    toy_device_program = kept;
    cuda_reset();
    mock->failing = "nvrtcGetNumSupportedArchs";
    mock->fail_at = 1;
    mock->code = 11;
    mock->architecture[3] = 0;
    for (int i = 3; i < MOCK_ARCHITECTURES; i++)
        mock->architecture[i] = 0;
    expect("an NVRTC without a list of architectures is tried", text_alone, "PTX compute_70", 1);

    cuda_reset();
    mock->failing = "nvrtcCompileProgram";
    mock->fail_at = 1;
    mock->code = 6;
    expect_error(
        "a text that does not compile", text_alone, SPMV_DEVICE_FAILED,
        "NVRTC 12.4 cannot compile toy.cu for 'Mock device (sm_90)': NVRTC_ERROR_COMPILATION; "
        "its log: line 1: nothing is right");
    cuda_reset();
    mock->refused = "CUBIN";
    expect_error("code that the driver rejects", text_alone, SPMV_DEVICE_FAILED,
                 "CUDA cannot load toy.cu on 'Mock device (sm_90)': error 218; its log: no such "
                 "instruction");
    setenv("SPMV_NVRTC_LIBRARY", no_nvrtc, 1);
    cuda_reset();
    expect_error("a library that is not NVRTC", text_alone, SPMV_UNSUPPORTED,
                 "the NVRTC library has no nvrtcVersion; expected that of CUDA 7.5");
    setenv("SPMV_NVRTC_LIBRARY", library, 1);
}

/* ---- the cache ------------------------------------------------------------------------------ */

static void test_cache(void)
{
    spmv_error err;

    folder_enter();
    setenv("SPMV_CACHE", ".", 1);
    cuda_reset();
    expect("the first device compiles", text_alone, "CUBIN sm_90", 1);
    cuda_reset();
    expect("the second loads the cached program", text_alone, "CUBIN sm_90", 0);
    ok(folder_count() == 1, "there is one entry");
    cuda_reset();
    mock->name[0] = "Another device";
    expect("another device has its own", text_alone, "CUBIN sm_90", 1);
    cuda_reset();
    mock->capability[0] = 86;
    expect("another architecture, too", text_alone, "CUBIN sm_86", 1);
    cuda_reset();
    toy_device_program.options = "--fmad=true";
    expect("other options, too", text_alone, "CUBIN sm_90", 1);
    toy_device_program.options = "";
    ok(folder_count() == 4, "and all are kept");
    cuda_reset();
    mock->failing = "cuModuleLoadDataEx";
    mock->fail_at = 1;
    mock->code = 218;
    ok(live_with(text_alone, &err) == SPMV_OK && mock->compiled == 1,
       "an entry that the driver refuses is a miss, and made again");
    cuda_reset();
    expect("a binary that was built in needs no entry", built_in, "FATBIN 50", 0);
    ok(folder_count() == 4, "and makes none");
    setenv("SPMV_CACHE", "", 1);
    cuda_reset();
    expect("an empty SPMV_CACHE disables the cache", text_alone, "CUBIN sm_90", 1);
    folder_leave();
}

/* ---- dynamic local memory -------------------------------------------------------------------- */

static void test_dynamic(void)
{
    const spmv_kernel kept = toy_single_kernel;
    const int declared = toy_single_kernel.local_bytes;

    cuda_reset();
    expect("no dynamic local memory", toy_single_modules, "CUBIN sm_90", 1);
    ok(mock->given == 0 && mock->requested == 0, "none is given or requested");
    cuda_reset();
    toy_single_kernel.dynamic_bytes = 49152 - declared;
    expect("48 KiB with what is declared", toy_single_modules, "CUBIN sm_90", 1);
    ok(mock->given == 49152 - declared && mock->requested == 0, "are given without a request");
    cuda_reset();
    toy_single_kernel.dynamic_bytes = 232448 - declared;
    expect("227 KiB with what is declared", toy_single_modules, "CUBIN sm_90", 1);
    ok(mock->given == 232448 - declared && mock->requested == mock->given, "are given on request");
    cuda_reset();
    mock->failing = "cuFuncSetAttribute";
    mock->fail_at = 1;
    mock->code = CU_INVALID_VALUE;
    expect_error("the driver refuses", toy_single_modules, SPMV_DEVICE_FAILED,
                 "CUDA cannot give kernel toy_sums 231424 bytes of local memory: "
                 "CUDA_ERROR_INVALID_VALUE");
    cuda_reset();
    mock->dynamic_memory = 101376;
    expect_error("a device that has less", toy_single_modules, SPMV_UNSUPPORTED,
                 "it takes 231424 bytes of dynamic local memory, of 101376");
    toy_single_kernel = kept;
}

/* ---- sharing -------------------------------------------------------------------------------- */

static int is_right(const spmv_plan *plan)
{
    double *y = sample_vector(s, ROWS, 0);
    const int right = spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK &&
                      sample_is_right(s, y, 1, 0, 0);

    free(y);
    return right;
}

static void test_shared(void)
{
    spmv_device *device = NULL, *other = NULL;

    cuda_reset();
    toy_open("cuda", built_in, NULL, &device, NULL);
    spmv_plan *first = make_plan(device, NULL), *second = make_plan(device, NULL);
    ok(is_right(first) && is_right(second) && mock->loaded == 1,
       "two plans of a module load its program once");
    toy_open("cuda", built_in, NULL, &other, NULL);
    spmv_plan *elsewhere = make_plan(other, NULL);
    ok(mock->loaded == 2, "another open device loads it again");
    spmv_plan_destroy(elsewhere);
    spmv_device_close(other);
    spmv_plan_destroy(first);
    ok(is_right(second), "it stays while a plan is left");
    first = make_plan(device, NULL);
    ok(is_right(first) && mock->loaded == 2, "and serves a later plan");
    spmv_plan_destroy(second);
    spmv_plan_destroy(first);
    first = make_plan(device, NULL);
    ok(is_right(first) && mock->loaded == 3, "after the last plan it is loaded again");
    spmv_plan_destroy(first);
    spmv_device_close(device);
    ok(is_clean(), "and all objects are released");
}

enum { THREADS = 8 };
static spmv_device *shared_device;
static pthread_barrier_t all_are_made;

static void *make_and_run(void *right)
{
    spmv_plan *plan = make_plan(shared_device, NULL);

    pthread_barrier_wait(&all_are_made);
    *(int *)right = is_right(plan);
    spmv_plan_destroy(plan);
    return NULL;
}

static void test_shared_by_threads(void)
{
    pthread_t thread[THREADS];
    int right[THREADS], all = 1;

    cuda_reset();
    toy_open("cuda", text_alone, NULL, &shared_device, NULL);
    pthread_barrier_init(&all_are_made, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, make_and_run, &right[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        all &= right[i];
    }
    pthread_barrier_destroy(&all_are_made);
    ok(all && mock->loaded == 1 && mock->compiled == 1,
       "%d threads that make plans at once compile and load a program once", THREADS);
    spmv_device_close(shared_device);
    ok(is_clean(), "and all objects are released");
}

/* ---- contexts ------------------------------------------------------------------------------- */

static void test_primary(void)
{
    spmv_cuda_context context = NULL, popped = NULL;
    spmv_device *device = NULL;
    cuda_app app;

    cuda_reset();
    cu.PrimaryCtxRetain(&context, 0);
    cu.CtxPushCurrent(context);
    toy_open("cuda", built_in, NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    cu.CtxPopCurrent(&popped);
    cu.PrimaryCtxRelease2(0);
    ok(is_right(plan), "a device keeps the caller's primary context");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "and releases it");

    cuda_reset();
    app_begin(&app, 0);
    mock->failing = "cuDevicePrimaryCtxRetain";
    toy_open("cuda", built_in, NULL, &device, NULL);
    ok(mock->calls == 0, "a context of the caller's own makes no primary context");
    spmv_device_close(device);
    cu.PrimaryCtxRetain(&context, 0);
    toy_open("cuda", built_in, NULL, &device, NULL);
    plan = make_plan(device, NULL);
    ok(is_right(plan) && has_context(app.context), "and is used beside one");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    cu.PrimaryCtxRelease2(0);
    app_end(&app);
    ok(is_clean(), "of which no reference is kept");
}

/* The caller destroys the context, and all in it, before plan and device. */
static void test_lost_context(void)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_enqueue_options options = {.struct_size = sizeof options, .err = &err};
    double *y = sample_vector(s, ROWS, 0);
    spmv_cuda_graph graph = NULL;
    cuda_app app;

    cuda_reset();
    mock->contexts_own = 1;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    spmv_plan *plan = open_alone(NULL, &device);
    app_write(&app, app.x, s->x);
    int good = spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK;
    const spmv_enqueue_options there = {.struct_size = sizeof there, .queue = app.stream};
    more.StreamBeginCapture(app.stream, CU_CAPTURE_MODE_GLOBAL);
    good &= spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), &there) == SPMV_OK;
    more.StreamEndCapture(app.stream, &graph);
    good &= spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), &there) == SPMV_OK;
    more.GraphDestroy(graph);
    cu.CtxDestroy(app.context);
    ok(good && spmv_enqueue(plan, 1, address(app.x), 0, address(app.y), &options) ==
           SPMV_DEVICE_FAILED && strstr(err.text, "CUDA cannot enter its context"),
       "after its context was destroyed, an enqueue fails: %s", err.text);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_DEVICE_FAILED &&
       make_plan(device, &err) == NULL && spmv_plan_update_values(plan, s->csr.val, &err) ==
           SPMV_DEVICE_FAILED, "and so does the rest: %s", err.text);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "plan and device pass nothing to the driver that is no more");
    free(y);
}

int main(int argc, char **argv)
{
    cuda_begin(argc, argv, CUDA_NOW);
    char *library = realpath(argv[1], NULL), *no_nvrtc = realpath(argv[3], NULL);
    test_built_in(library);
    test_compiled(no_nvrtc, library);
    cuda_end();
    cuda_begin(argc, argv, CUDA_OLD);
    mock->capability[0] = 86;
    expect("an NVRTC before CUDA 11.1 gives PTX", text_alone, "PTX compute_86", 1);
    toy_single_kernel.dynamic_bytes = 65536;
    expect_error("a driver before CUDA 9 gives no local memory on request", toy_single_modules,
                 SPMV_UNSUPPORTED, "it takes 65536 bytes of dynamic local memory, of 49152");
    toy_single_kernel.dynamic_bytes = 0;
    cuda_end();
    cuda_begin(argc, argv, CUDA_NEW);
    expect("a driver without cuCtxCreate_v2", text_alone, "CUBIN sm_90", 1);
    mock->failing = "cuDevicePrimaryCtxRetain";
    mock->fail_at = 1;
    mock->code = CU_OUT_OF_MEMORY;
    expect_error("has an error where it has no context", text_alone, SPMV_OUT_OF_MEMORY,
                 "CUDA cannot create a context");
    cuda_end();
    cuda_begin(argc, argv, CUDA_NOW);
    test_cache();
    test_dynamic();
    test_shared();
    test_shared_by_threads();
    test_primary();
    test_lost_context();
    cuda_end();
    free(library);
    free(no_nvrtc);
    return tap_done();
}
