/* test_opencl.c MOCK LIBRARY_WITHOUT_OPENCL: the OpenCL backend on a mock library (mock_opencl.c),
 * which runs a toy program and makes chosen calls fail: results, copies between host and device,
 * errors and their texts, and no leaks whichever call fails. */
#define _POSIX_C_SOURCE 200809L
#include "opencl_client.h"
#include "runtime/device/opencl/api.h"
#include "../tap.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the cache of binaries ------------------------------------------------------------------- */

/* Whether a device works from opening to closing, and leaves no objects. */
static int lives(void)
{
    return backend_lifecycle(&opencl) == 1 && is_clean();
}

/* Programs that a device made from a binary; -1 if a result is wrong. */
static int lives_from_binary(void)
{
    mock_reset();
    return lives() ? mock->from_binary : -1;
}

static void spoil(const char *folder, int how)
{
    DIR *entries = opendir(folder);
    char path[4200];

    for (struct dirent *e; entries != NULL && (e = readdir(entries)) != NULL;) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (how == 0) {
            unlink(path);
            continue;
        }
        FILE *file = fopen(path, "r+b");
        if (file == NULL)
            continue;
        fseek(file, how == 1 ? -1 : 9, how == 1 ? SEEK_END : SEEK_SET);
        fputc('#', file);
        if (how == 3 && ftruncate(fileno(file), 20) != 0)
            diag("cannot cut %s", path);
        fclose(file);
    }
    if (entries != NULL)
        closedir(entries);
}

static void test_cache(void)
{
    char folder[] = "/tmp/spmv-cache-XXXXXX";
    static const char *const names[] = {"of a missing file", "with a wrong last byte",
                                        "of another key", "that was cut"};

    if (mkdtemp(folder) == NULL) {
        skip("no folder can be made in /tmp");
        return;
    }
    setenv("SPMV_CACHE", folder, 1);
    ok(lives_from_binary() == 0 && lives_from_binary() == 1,
       "the second device uses the binary that the first one built");
    for (int how = 0; how < 4; how++) {
        spoil(folder, how);
        ok(lives_from_binary() == 0 && lives_from_binary() == 1,
           "an entry %s is a miss, and made again", names[how]);
    }
    mock_reset();
    mock->failing = "CreateProgramWithBinary";
    mock->fail_at = 1;
    mock->code = -42;
    ok(lives(), "a binary that the driver refuses is a miss");
    chmod(folder, 0770);
    ok(lives_from_binary() == 0, "a folder that others can write to is not used");
    chmod(folder, 0700);
    setenv("SPMV_CACHE", "/nowhere/at/all", 1);
    ok(lives_from_binary() == 0, "nor one that is not there");
    setenv("SPMV_CACHE", "", 1);
    ok(lives_from_binary() == 0, "an empty SPMV_CACHE disables the cache");
    spoil(folder, 0);
    rmdir(folder);
}

/* ---- missing libraries and devices --------------------------------------------------------- */

static void test_absent(const char *library, const char *no_opencl)
{
    mock_reset();
    mock->platforms = 0;
    backend_expect_open(&opencl, "opencl", SPMV_UNSUPPORTED, "knows no platform; install a driver",
                        "no platform");
    mock_reset();
    mock->devices = 0;
    backend_expect_open(&opencl, "opencl", SPMV_UNSUPPORTED, "there is none at all", "no device");
    setenv("SPMV_OPENCL_LIBRARY", "/nowhere/libOpenCL.so", 1);
    backend_expect_open(&opencl, "opencl", SPMV_UNSUPPORTED,
                        "no OpenCL library: /nowhere/libOpenCL.so", "no library");
#ifndef __APPLE__
    backend_expect_open(&opencl, "opencl", SPMV_UNSUPPORTED,
                        "loader (Debian: ocl-icd-libopencl1) and a driver", "what to install");
#endif
    setenv("SPMV_OPENCL_LIBRARY", no_opencl, 1);
    backend_expect_open(&opencl, "opencl", SPMV_UNSUPPORTED, "has no clGetPlatformIDs",
                        "a library without OpenCL");
    setenv("SPMV_OPENCL_LIBRARY", library, 1);
}

static void test_asked_for(void)
{
    const struct {
        const char *device;
        spmv_status status;
        const char *expected;
    } cases[] = {
        {"opencl:Mock", SPMV_OK, ""},
        {"opencl:", SPMV_OK, ""},
        {"cpu", SPMV_OK, ""},
        {"opencl:Hawaii", SPMV_UNSUPPORTED, "no OpenCL device has 'Hawaii' in its name; there is "
                                            "'Mock device'"},
        {"hip", SPMV_INVALID_ARGUMENT, "options.device is 'hip'; expected \"cpu\""},
        {"openclfoo", SPMV_INVALID_ARGUMENT, "options.device is 'openclfoo'"},
        {"a very long word that is no device", SPMV_INVALID_ARGUMENT, "options.device is 'a very"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mock_reset();
        backend_expect_open(&opencl, cases[i].device, cases[i].status, cases[i].expected,
                            cases[i].device);
    }
}

/* ---- limits of the device -------------------------------------------------------------------- */

static void test_limits(void)
{
    mock_reset();
    mock->has_f64 = 0;
    backend_expect_refusal(&opencl, "a device without f64",
                           "that this device runs: the device has no f64");
    mock_reset();
    mock->work_group_size = 2;
    backend_expect_refusal(&opencl, "smaller work-groups",
                           "its work-groups are larger than the device's");
    mock_reset();
    mock->local_memory = 512;
    backend_expect_refusal(&opencl, "less local memory",
                           "it takes more local memory than the device has");

    mock_reset();
    mock->largest_buffer = 16;
    backend_expect_no_plan(&opencl, "smaller buffers", SPMV_OUT_OF_MEMORY,
                           "its largest buffer has 16");

    mock_reset();
    opencl.fail("CreateBuffer", 4, OCL_OUT_OF_RESOURCES);   /* after row_ptr, col_idx and twice */
    backend_expect_no_plan(&opencl, "no buffer for a part of the workspace", SPMV_OUT_OF_MEMORY,
                           "allocate 72 bytes for sum: OUT_OF_RESOURCES");
}

/* Requirements beyond OpenCL 1.2: extensions, and subgroups of one size. */
static void test_needs(void)
{
    const spmv_program kept = toy_device_program;
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};

    toy_device_program.extensions = "cl_mock_shuffle cl_mock_shuffle_relative";
    toy_device_program.subgroup_size = 32;
    mock_reset();
    ok(lives(), "a device with the extensions and the size runs the module");

    mock_reset();
    mock->extensions = "cl_mock_shuffle cl_mock_shuffle_relative_not";
    backend_expect_refusal(&opencl, "no such extension",
                           "the device lacks the extension cl_mock_shuffle_relative");
    mock_reset();
    mock->extensions = "";
    backend_expect_refusal(&opencl, "no extensions",
                           "the device lacks the extension cl_mock_shuffle");
    mock_reset();
    mock->extensions = "cl_intel_required_subgroup_size cl_mock_shuffle cl_mock_shuffle_relative";
    mock->subgroup_sizes[1] = 16;
    backend_expect_refusal(&opencl, "no such size to require",
                           "the device has no subgroups of 32 work-items");
    mock->subgroup_sizes[0] = 32;
    mock->subgroup_size = 1;
    ok(lives(), "one of the sizes that kernels can require, whatever the driver reports");

    mock_reset();
    mock->subgroup_size = 64;
    open_mock(NULL, &device, NULL);
    ok(make_plan(device, &err) == NULL && err.status == SPMV_UNSUPPORTED &&
       strstr(err.text, "toy_device_f64_i32 relies on subgroups of 32 work-items; those of 'Mock "
                        "device' have 64 in kernel toy_sums. Take a target for that") != NULL,
       "another size: %s", err.text);
    mock->failing = "GetKernelSubGroupInfo";
    mock->fail_at = 1;
    mock->code = -30;
    ok(make_plan(device, &err) == NULL && err.status == SPMV_UNSUPPORTED &&
       strstr(err.text, "'Mock device' does not tell how many its have") != NULL,
       "a size that the driver does not report: %s", err.text);
    spmv_device_close(device);
    ok(is_clean(), "nothing is left");
    toy_device_program = kept;
}

static void test_build_log(void)
{
    mock_reset();
    opencl.fail("BuildProgram", 1, -11);
    backend_expect_no_plan(&opencl, "a build's log", SPMV_DEVICE_FAILED,
                           "cannot build toy.cl for 'Mock device': BUILD_PROGRAM_FAILURE; its log: "
                           "line 1: nothing is right");
}

static void test_contract(void)
{
    static const spmv_argument odd[] = {{"nothing", SPMV_ARGUMENT_READ}};
    static const spmv_argument value[] = {{"twice", SPMV_ARGUMENT_I32}};
    const spmv_program kept = toy_device_program;
    spmv_kernel kernels[2];
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};

    mock_reset();
    memcpy(kernels, kept.kernels, sizeof kernels);
    kernels[1].argument_count = 1;
    kernels[1].arguments = odd;
    toy_device_program.kernels = kernels;
    open_mock(NULL, &device, NULL);
    ok(make_plan(device, &err) == NULL && err.status == SPMV_ABI_MISMATCH &&
       strstr(err.text, "takes an array 'nothing', which nothing is called") != NULL,
       "an argument of no known name: %s", err.text);
    kernels[1].arguments = value;
    ok(make_plan(device, &err) == NULL && strstr(err.text, "takes a value 'twice'") != NULL,
       "an array as a value: %s", err.text);
    kernels[1] = kept.kernels[1];
    kernels[1].name = kernels[1].symbol = "toy_missing";
    ok(make_plan(device, &err) == NULL && err.status == SPMV_DEVICE_FAILED &&
       strstr(err.text, "cannot create kernel toy_missing: INVALID_KERNEL_NAME") != NULL,
       "a kernel that is missing in the text: %s", err.text);
    spmv_device_close(device);
    toy_device_program.kernel_count = 0;
    device = NULL;
    ok(open_mock(NULL, &device, &err) == SPMV_ABI_MISMATCH &&
       strstr(err.text, "no kernels") != NULL,
       "a program without kernels: %s", err.text);
    spmv_device_close(device);
    toy_device_program = kept;
    toy_device_program.parts = NULL;
    toy_device_program.part_count = 0;
    device = NULL;
    ok(open_mock(NULL, &device, &err) == SPMV_ABI_MISMATCH &&
       strstr(err.text, "its program is in a file of its own; emit it without --program-files") !=
           NULL, "a program that is not among the module's strings: %s", err.text);
    spmv_device_close(device);
    toy_device_program = kept;
    ok(is_clean(), "nothing is left");
}

/* ---- each call failing in turn --------------------------------------------------------------- */

static void test_failures(void)
{
    static const failing_function functions[] = {
        {"GetPlatformIDs", 0, 0}, {"GetPlatformInfo", 1, 0}, {"GetDeviceIDs", 0, 0},
        {"GetDeviceInfo", 1, 0}, {"CreateContext", 0, 0}, {"CreateCommandQueue", 0, 0},
        {"CreateProgramWithSource", 0, 0}, {"BuildProgram", 0, 0}, {"CreateKernel", 0, 0},
        {"SetKernelArg", 0, 0}, {"CreateBuffer", 0, 0}, {"EnqueueReadBuffer", 0, 0},
        {"EnqueueWriteBuffer", 0, 0}, {"EnqueueNDRangeKernel", 0, 0}, {"WaitForEvents", 0, 0},
        {"GetEventProfilingInfo", 1, 0}, {"GetProgramInfo", 1, 0},
    };
    static const int codes[2] = {-5, -36};

    backend_test_failures(&opencl, functions, sizeof functions / sizeof functions[0], codes);
}

int main(int argc, char **argv)
{
    mock_begin(argc, argv);
    backend_test_results(&opencl, "a device of OpenCL");
    backend_test_profile(&opencl);
    backend_test_host_step(&opencl);
    backend_test_update(&opencl);
    backend_test_transposed(&opencl);
    backend_test_widened(&opencl);
    test_cache();
    backend_test_at_once(&opencl);
    test_absent(argv[1], argv[2]);
    test_asked_for();
    test_limits();
    test_needs();
    test_build_log();
    test_contract();
    test_failures();
    mock_end();
    return tap_done();
}
