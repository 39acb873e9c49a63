/* test_cuda.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK: the CUDA backend on a mock driver
 * (mock_cuda.c), which runs a toy program and makes chosen calls fail: results, copies between host
 * and device, errors and their texts, and no leaks whichever call fails. */
#define _POSIX_C_SOURCE 200809L
#include "cuda_client.h"
#include "../tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMELESS_ERROR = 999 };        /* an error code without a name */

/* ---- results ------------------------------------------------------------------------------- */

/* If the device reports no time of a kernel, the host's clock gives it. */
static void test_unknown_time(void)
{
    spmv_device *device = NULL;
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;
    double *y = sample_vector(s, ROWS, 0);

    cuda_reset();
    open_cuda(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    cuda.fail("cuEventElapsedTime", 1, NAMELESS_ERROR);
    ok(spmv_execute_profile(plan, 1, s->x, 0, y, NULL, time, &count) == SPMV_OK &&
       time[1].seconds >= 0 && fabs(time[1].seconds - 0.002) > 1e-9,
       "a kernel's time is by the host's clock if the device reports none");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "no event is left");
    free(y);
}

/* ---- missing drivers and devices ----------------------------------------------------------- */

static void test_absent(const char *library, const char *no_cuda)
{
    cuda_reset();
    cuda.fail("cuInit", 1, CU_NO_DEVICE);
    backend_expect_open(&cuda, "cuda", SPMV_UNSUPPORTED,
                        "the CUDA driver has no device: CUDA_ERROR_NO_DEVICE (no CUDA-capable "
                        "device is detected)", "a driver without a device");
    cuda_reset();
    mock->devices = 0;
    backend_expect_open(&cuda, "cuda", SPMV_UNSUPPORTED, "there is none at all", "no device");
    cuda_reset();
    mock->is_prohibited[0] = 1;
    backend_expect_open(&cuda, "cuda", SPMV_UNSUPPORTED,
                        "there is 'Mock device (sm_90)' (whose compute mode prohibits it)",
                        "a device that is prohibited");
    setenv("SPMV_CUDA_LIBRARY", "/nowhere/libcuda.so", 1);
    backend_expect_open(&cuda, "cuda", SPMV_UNSUPPORTED, "no CUDA driver: /nowhere/libcuda.so",
                        "no library");
    setenv("SPMV_CUDA_LIBRARY", no_cuda, 1);
    backend_expect_open(&cuda, "cuda", SPMV_UNSUPPORTED,
                        "has no cuInit; expected that of CUDA 6.0", "a library without CUDA");
    setenv("SPMV_CUDA_LIBRARY", library, 1);
}

static void test_asked_for(void)
{
    static const struct {
        const char *device;
        spmv_status status;
        const char *expected;
    } cases[] = {
        {"cuda:Mock", SPMV_OK, ""},
        {"cuda:", SPMV_OK, ""},
        {"cuda:sm_32", SPMV_OK, ""},
        {"cuda:Tegra", SPMV_OK, ""},
        {"cuda:Hawaii", SPMV_UNSUPPORTED, "no CUDA device has 'Hawaii' in its name; there is "
                                          "'Mock device (sm_90)', 'Mock Tegra (sm_32)'"},
        {"cudafoo", SPMV_INVALID_ARGUMENT,
         "options.device is 'cudafoo'; expected \"cpu\", \"opencl\""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cuda_reset();
        mock->devices = 2;
        backend_expect_open(&cuda, cases[i].device, cases[i].status, cases[i].expected,
                            cases[i].device);
    }
}

/* A page's match, or an alternative in it, is part of the device's name, which includes the compute
 * capability. */
static void test_match(void)
{
    static const struct {
        const char *match;
        size_t usable;
    } cases[] = {{"sm_90", 1}, {"Mock dev", 1}, {"", 1}, {"sm_80", 0},
                 {"other|sm_90|more", 1}, {"sm_80|other", 0}};
    const spmv_program kept = toy_device_program;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const spmv_device_options options = {.struct_size = sizeof options, .no_builtin_modules = 1,
                                             .device = "cuda"};
        spmv_device *device = NULL;

        cuda_reset();
        toy_device_program.match = cases[i].match;
        spmv_device_open(&options, &device, NULL);
        spmv_device_add_modules(device, toy_device_modules, NULL);
        ok(spmv_device_module_count(device) == cases[i].usable, "match = \"%s\": %zu modules",
           cases[i].match, spmv_device_module_count(device));
        spmv_device_close(device);
    }
    toy_device_program = kept;
}

/* ---- limits of the device -------------------------------------------------------------------- */

static void test_limits(void)
{
    const spmv_program kept = toy_device_program;
    spmv_device *device = NULL;
    double *y = sample_vector(s, ROWS, 0);

    cuda_reset();
    toy_device_program.capability = 100;
    backend_expect_refusal(&cuda, "an older device",
                           "the device's compute capability is 9.0, it needs 10.0");
    toy_device_program = kept;
    toy_device_program.subgroup_size = 64;
    backend_expect_refusal(&cuda, "other subgroups",
                           "the device has no subgroups of 64 work-items");
    toy_device_program = kept;
    toy_device_program.extensions = "cl_mock_shuffle";
    backend_expect_refusal(&cuda, "an extension", "the device lacks the extension cl_mock_shuffle");
    toy_device_program = kept;
    cuda_reset();
    mock->work_group_size = 2;
    backend_expect_refusal(&cuda, "smaller work-groups",
                           "its work-groups are larger than the device's");
    cuda_reset();
    mock->local_memory = 512;
    backend_expect_refusal(&cuda, "less local memory",
                           "it takes more local memory than the device has");

    cuda_reset();
    mock->largest_allocation = 16;
    backend_expect_no_plan(&cuda, "less memory", SPMV_OUT_OF_MEMORY,
                           "allocate 40 bytes for row_ptr: CUDA_ERROR_OUT_OF_MEMORY (out of "
                           "memory)");
    cuda_reset();
    mock->kernel_work_group_size = 2;
    backend_expect_no_plan(&cuda, "a kernel with many registers", SPMV_UNSUPPORTED,
                           "kernel toy_sums of toy_device_f64_i32 has work-groups of 4 work-items, "
                           "but as it was compiled for 'Mock device (sm_90)' at most 2 fit");

    cuda_reset();
    mock->largest_grid = 2;
    open_cuda(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_UNSUPPORTED,
       "more work-groups than the device launches are refused");
    mock->largest_grid = 3;
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "more work-groups: nothing is left");
    free(y);
}

static void test_contract(void)
{
    static const spmv_argument odd[] = {{"nothing", SPMV_ARGUMENT_READ}};
    const spmv_program kept = toy_device_program;
    spmv_kernel kernels[2];

    cuda_reset();
    memcpy(kernels, kept.kernels, sizeof kernels);
    kernels[1].argument_count = 1;
    kernels[1].arguments = odd;
    toy_device_program.kernels = kernels;
    backend_expect_no_plan(&cuda, "an argument of no known name", SPMV_ABI_MISMATCH,
                           "takes an array 'nothing', which nothing is called");
    kernels[1] = kept.kernels[1];
    kernels[1].name = kernels[1].symbol = "toy_missing";
    backend_expect_no_plan(&cuda, "a kernel that is missing in the text", SPMV_DEVICE_FAILED,
                           "cannot find kernel toy_missing: CUDA_ERROR_NOT_FOUND (named symbol not "
                           "found)");
    toy_device_program = kept;
}

/* ---- a kernel that fails as it runs ---------------------------------------------------------- */

/* CUDA then refuses every call in the context. Closing the device releases the context, and the
 * next device has a new one. */
static void test_broken(void)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    double *y = sample_vector(s, ROWS, 0);
    void *memory = NULL;

    cuda_reset();
    open_cuda(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    mock->bad_launch = 1;
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_DEVICE_FAILED && has_context(NULL),
       "a kernel that fails as it runs fails its execute");
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_DEVICE_FAILED &&
       make_plan(device, &err) == NULL && err.status == SPMV_DEVICE_FAILED &&
       strstr(err.text, "CUDA_ERROR_LAUNCH_FAILED") != NULL,
       "and all that comes after it: %s", err.text);
    ok(spmv_plan_update_values(plan, s->csr.val, &err) == SPMV_DEVICE_FAILED,
       "new values, too: %s", err.text);
    ok(spmv_alloc(device, 8, &memory) == SPMV_OK && (spmv_free(device, memory), 1),
       "except for calls that need no kernels");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "and all objects are released");
    open_cuda(NULL, &device, NULL);
    plan = make_plan(device, NULL);
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "a device that is opened anew works");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "and is closed");
    free(y);
}

/* ---- each call failing in turn --------------------------------------------------------------- */

static void test_failures(void)
{
    static const failing_function functions[] = {
        {"cuInit", 0, 0}, {"cuDriverGetVersion", 0, 0}, {"cuDeviceGetCount", 0, 0},
        {"cuDeviceGet", 0, 0}, {"cuDeviceGetName", 0, 0}, {"cuDeviceGetAttribute", 1, 0},
        {"cuCtxGetCurrent", 0, 0}, {"cuDevicePrimaryCtxRetain", 0, 0},
        {"cuCtxPushCurrent_v2", 1, 1}, {"cuCtxPopCurrent_v2", 1, 0},
        {"cuModuleLoadDataEx", 0, 0}, {"cuModuleGetFunction", 0, 0}, {"cuFuncGetAttribute", 0, 0},
        {"cuMemAlloc_v2", 0, 0}, {"cuMemcpyHtoDAsync_v2", 0, 0}, {"cuMemcpyDtoHAsync_v2", 0, 0},
        {"cuStreamCreate", 0, 0}, {"cuStreamSynchronize", 0, 0}, {"cuStreamIsCapturing", 0, 0},
        {"cuThreadExchangeStreamCaptureMode", 1, 0}, {"cuEventCreate", 0, 0},
        {"cuEventRecord", 0, 0}, {"cuEventElapsedTime", 1, 0}, {"cuPointerGetAttributes", 0, 0},
        {"cuLaunchKernel", 0, 0}, {"nvrtcVersion", 1, 0}, {"nvrtcCreateProgram", 0, 0},
        {"nvrtcCompileProgram", 0, 0}, {"nvrtcGetCUBINSize", 0, 0}, {"nvrtcGetCUBIN", 0, 0},
        {"nvrtcGetNumSupportedArchs", 1, 0}, {"nvrtcGetSupportedArchs", 1, 0},
    };
    static const int codes[2] = {CU_OUT_OF_MEMORY, NAMELESS_ERROR};

    backend_test_failures(&cuda, functions, sizeof functions / sizeof functions[0], codes);
}

/* ---- after a call that failed ---------------------------------------------------------------- */

/* Two executes of one plan; call `at` of the function fails in the first. -1: the first makes fewer
 * calls; 0: the second execute is wrong. */
static int recovers(const char *function, int at, int is_profile)
{
    spmv_step_time time[SPMV_MAX_STEPS];
    spmv_device *device = NULL;
    double *y = sample_vector(s, ROWS, 0);
    int32_t count;
    int result = 1;

    cuda_reset();
    mock->overtaking = 3;
    open_cuda(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    mock->code = CU_OUT_OF_MEMORY;
    mock->fail_at = at;
    mock->failing = function;
    mock->calls = 0;
    if (is_profile)
        spmv_execute_profile(plan, 1, s->x, 0, y, NULL, time, &count);
    else
        spmv_execute(plan, 1, s->x, 0, y, NULL);
    mock->failing = NULL;
    if (mock->calls < at)
        result = -1;
    else if (spmv_execute(plan, 1, s->x, 0, y, NULL) != SPMV_OK || !sample_is_right(s, y, 1, 0, 0))
        result = 0;
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    free(y);
    return is_clean() || result < 0 ? result : 0;
}

static void test_recovery(void)
{
    static const char *const functions[] = {
        "cuCtxPushCurrent_v2", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuLaunchKernel",
        "cuStreamSynchronize", "cuMemAlloc_v2", "cuPointerGetAttributes", "cuEventCreate",
        "cuEventRecord", "cuStreamIsCapturing",
    };
    int tried = 0, bad = 0;

    for (size_t f = 0; f < 2 * sizeof functions / sizeof functions[0]; f++) {
        int result = 1;
        for (int at = 1; result >= 0; at++) {
            result = recovers(functions[f / 2], at, f % 2);
            tried += result >= 0;
            bad += result == 0;
            if (result == 0)
                diag("call %d of %s", at, functions[f / 2]);
        }
    }
    ok(bad == 0 && tried > 40, "after each of %d calls that fails, the next execute is right",
       tried);
}

int main(int argc, char **argv)
{
    cuda_begin(argc, argv, CUDA_NOW);
    backend_test_results(&cuda, "a driver of today");
    backend_test_profile(&cuda);
    test_unknown_time();
    backend_test_host_step(&cuda);
    backend_test_update(&cuda);
    backend_test_transposed(&cuda);
    backend_test_widened(&cuda);
    backend_test_at_once(&cuda);
    test_absent(argv[1], argv[3]);
    test_asked_for();
    test_match();
    test_limits();
    test_contract();
    test_broken();
    test_failures();
    test_recovery();
    cuda_end();
    cuda_begin(argc, argv, CUDA_OLD);
    backend_test_results(&cuda, "a driver of CUDA 6.0");
    cuda_end();
    return tap_done();
}
