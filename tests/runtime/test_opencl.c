/* test_opencl.c MOCK LIBRARY_WITHOUT_OPENCL: the OpenCL backend against a library of our own
 * (mock_opencl.c), which runs a toy program and fails where it is told to: results, what crosses
 * to the host and back, errors and their texts, and that nothing is leaked wherever a call
 * fails. */
#define _POSIX_C_SOURCE 200809L
#include "mock_client.h"
#include "runtime/device/opencl/api.h"
#include "../tap.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what works ---------------------------------------------------------------------------- */

static void test_results(void)
{
    static const struct {
        double alpha, beta, old;
    } cases[] = {{1, 0, NAN}, {2, 0, NAN}, {-3, 1, 7}, {0.5, -2, 3}, {0, 2, 5}};
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    double *y = sample_vector(s, ROWS, 0);

    mock_reset();
    ok(open_mock(NULL, &device, &err) == SPMV_OK && spmv_device_module_count(device) == 1,
       "a device of OpenCL opens, and has its module: %s", err.text);
    spmv_plan *plan = make_plan(device, &err);
    ok(plan != NULL, "a plan is made: %s", err.text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && plan != NULL; i++) {
        for (int r = 0; r < ROWS; r++)
            y[r] = cases[i].old;
        ok(spmv_execute(plan, cases[i].alpha, s->x, cases[i].beta, y, NULL) == SPMV_OK &&
           sample_is_right(s, y, cases[i].alpha, cases[i].beta, cases[i].old),
           "alpha %g, beta %g: y is right", cases[i].alpha, cases[i].beta);
    }
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "all objects are released");
    free(y);
}

static void test_profile(void)
{
    /* Copies of x; of the sums and, since a host step uses it, of y: forth and back. */
    static const char *const names[] = {
        "to the device", "toy_sums", "from the device", "from the device", "halve",
        "to the device", "to the device", "toy_store", "from the device", "from the device",
        "redouble", "to the device"};
    spmv_device *device = NULL;
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;
    double *y = sample_vector(s, ROWS, 0);

    mock_reset();
    open_mock(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    int same = spmv_execute_profile(plan, 1, s->x, 0, y, NULL, time, &count) == SPMV_OK &&
               count == (int32_t)(sizeof names / sizeof names[0]);
    for (int32_t i = 0; i < count && same; i++)
        same = strcmp(time[i].name, names[i]) == 0 && time[i].seconds >= 0;
    for (int32_t i = 0; i < count && !same; i++)
        diag("%s", time[i].name);
    ok(same, "a profile tells kernels, host steps and transfers");
    ok(same && fabs(time[1].seconds - 0.002) < 1e-9, "a kernel's time is what the device says");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "no event is left");
    free(y);
}

/* A host step that breaks the module contract is no failure of the device. */
static void test_host_step(void)
{
    spmv_device *device = NULL;
    spmv_status status = SPMV_OK;
    double *y = sample_vector(s, ROWS, 0);

    mock_reset();
    open_mock(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    if (!toy_execute_breaking(plan, y, &status))
        skip("the linker has no --wrap, which makes host steps fail");
    else
        ok(status == SPMV_ABI_MISMATCH, "a host step's own status comes back");
    ok(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0),
       "and the next execute is right");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "and nothing is left");
    free(y);
}

static void test_update(void)
{
    const int64_t nnz = s->csr.nnz;
    spmv_device *device = NULL;
    double *val = malloc((size_t)nnz * sizeof *val);
    double *y = sample_vector(s, ROWS, 0);

    mock_reset();
    open_mock(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    for (int64_t k = 0; k < nnz; k++)
        val[k] = 4 * ((const double *)s->csr.val)[k];
    ok(spmv_plan_update_values(plan, val, NULL) == SPMV_OK &&
       spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 4, 0, 0),
       "new values reach the device");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    free(val);
    free(y);
}

/* ---- the cache of binaries ------------------------------------------------------------------- */

/* Programs that a device's life made from a binary; -1 if a result is wrong. */
static int live(void);

static int lives_from_binary(void)
{
    mock_reset();
    return live() == 1 && is_clean() ? mock->from_binary : -1;
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
       "the second device takes what the first one's driver made");
    for (int how = 0; how < 4; how++) {
        spoil(folder, how);
        ok(lives_from_binary() == 0 && lives_from_binary() == 1,
           "an entry %s is a miss, and made again", names[how]);
    }
    mock_reset();
    mock->failing = "CreateProgramWithBinary";
    mock->fail_at = 1;
    mock->code = -42;
    ok(live() == 1 && is_clean(), "a binary that the driver refuses is a miss");
    chmod(folder, 0770);
    ok(lives_from_binary() == 0, "a folder that others can write to is not used");
    chmod(folder, 0700);
    setenv("SPMV_CACHE", "/nowhere/at/all", 1);
    ok(lives_from_binary() == 0, "nor one that is not there");
    setenv("SPMV_CACHE", "", 1);
    ok(lives_from_binary() == 0, "an empty SPMV_CACHE means none");
    spoil(folder, 0);
    rmdir(folder);
}

/* ---- at once ------------------------------------------------------------------------------- */

typedef struct worker {
    const spmv_plan *plan;
    int is_right;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    double *y = sample_vector(s, ROWS, 0);
    void *workspace = aligned_alloc(64, 1024);

    w->is_right = 1;
    for (int i = 0; i < 50; i++) {
        for (int r = 0; r < ROWS; r++)
            y[r] = 2;
        w->is_right &= spmv_execute(w->plan, i, s->x, 3, y, workspace) == SPMV_OK &&
                       sample_is_right(s, y, i, 3, 2);
    }
    free(workspace);
    free(y);
    return NULL;
}

static void test_at_once(void)
{
    enum { WORKERS = 4 };
    spmv_device *device = NULL;
    pthread_t thread[WORKERS];
    worker workers[WORKERS];
    int all_right = 1;

    mock_reset();
    open_mock(NULL, &device, NULL);
    spmv_plan *plan = make_plan(device, NULL);
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (worker){plan, 0};
        pthread_create(&thread[i], NULL, work, &workers[i]);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(thread[i], NULL);
        all_right &= workers[i].is_right;
    }
    ok(all_right, "executes at once, each with a workspace, are right");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    ok(is_clean(), "and their objects are released");
}

/* ---- what is not there --------------------------------------------------------------------- */

static void expect_open(spmv_status status, const char *expected, const char *name)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};
    const spmv_status found = open_mock(NULL, &device, &err);

    ok(found == status && device == NULL && strstr(err.text, expected) != NULL &&
       strncmp(err.text, "spmv_device_open: ", 18) == 0, "%s: %s", name, err.text);
    spmv_device_close(device);
    ok(is_clean(), "%s: nothing is left", name);
}

static void test_absent(const char *library, const char *no_opencl)
{
    mock_reset();
    mock->platforms = 0;
    expect_open(SPMV_UNSUPPORTED, "knows no platform; install a driver", "no platform");
    mock_reset();
    mock->devices = 0;
    expect_open(SPMV_UNSUPPORTED, "there is none at all", "no device");
    setenv("SPMV_OPENCL_LIBRARY", "/nowhere/libOpenCL.so", 1);
    expect_open(SPMV_UNSUPPORTED, "no OpenCL library: /nowhere/libOpenCL.so", "no library");
#ifndef __APPLE__
    expect_open(SPMV_UNSUPPORTED, "loader (Debian: ocl-icd-libopencl1) and a driver",
                "what to install");
#endif
    setenv("SPMV_OPENCL_LIBRARY", no_opencl, 1);
    expect_open(SPMV_UNSUPPORTED, "has no clGetPlatformIDs", "a library that is none of OpenCL");
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
        const spmv_device_options options = {.struct_size = sizeof options,
                                             .no_builtin_modules = 1, .device = cases[i].device};
        spmv_device *device = NULL;
        spmv_error err = {SPMV_OK, ""};
        mock_reset();
        ok(spmv_device_open(&options, &device, &err) == cases[i].status &&
           strstr(err.text, cases[i].expected) != NULL, "options.device = \"%s\": %s",
           cases[i].device, err.text);
        spmv_device_close(device);
    }
}

/* ---- what the device cannot ------------------------------------------------------------------ */

static void expect_refusal(const char *name, const char *expected)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};

    ok(open_mock(NULL, &device, &err) == SPMV_OK && spmv_device_module_count(device) == 0 &&
       make_plan(device, &err) == NULL && err.status == SPMV_UNSUPPORTED &&
       strstr(err.text, expected) != NULL, "%s: %s", name, err.text);
    spmv_device_close(device);
}

static void test_limits(void)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};

    mock_reset();
    mock->has_f64 = 0;
    expect_refusal("a device without f64", "that this device runs: the device has no f64");
    mock_reset();
    mock->work_group_size = 2;
    expect_refusal("smaller work-groups", "its work-groups are larger than the device's");
    mock_reset();
    mock->local_memory = 512;
    expect_refusal("less local memory", "it takes more local memory than the device has");

    mock_reset();
    mock->largest_buffer = 16;
    open_mock(NULL, &device, NULL);
    ok(make_plan(device, &err) == NULL && err.status == SPMV_OUT_OF_MEMORY &&
       strstr(err.text, "its largest buffer has 16") != NULL, "smaller buffers: %s", err.text);
    spmv_device_close(device);
    ok(is_clean(), "smaller buffers: nothing is left");

    mock_reset();
    mock->failing = "CreateBuffer";
    mock->fail_at = 4;                   /* behind row_ptr, col_idx and twice */
    mock->code = OCL_OUT_OF_RESOURCES;
    open_mock(NULL, &device, NULL);
    ok(make_plan(device, &err) == NULL && err.status == SPMV_OUT_OF_MEMORY &&
       strstr(err.text, "allocate 72 bytes for sum: OUT_OF_RESOURCES") != NULL,
       "no buffer for a part of the workspace: %s", err.text);
    spmv_device_close(device);
    ok(is_clean(), "no buffer for a part: nothing is left");
}

/* What is wanted beyond OpenCL 1.2: extensions that the device lists, subgroups of one size. */
static void test_needs(void)
{
    const spmv_program kept = toy_device_program;
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};

    toy_device_program.extensions = "cl_mock_shuffle cl_mock_shuffle_relative";
    toy_device_program.subgroup_size = 32;
    mock_reset();
    ok(live() == 1 && is_clean(), "a device with the extensions and the size runs the module");

    mock_reset();
    mock->extensions = "cl_mock_shuffle cl_mock_shuffle_relative_not";
    expect_refusal("no such extension", "the device lacks the extension cl_mock_shuffle_relative");
    mock_reset();
    mock->extensions = "";
    expect_refusal("no extensions", "the device lacks the extension cl_mock_shuffle");
    mock_reset();
    mock->extensions = "cl_intel_required_subgroup_size cl_mock_shuffle cl_mock_shuffle_relative";
    mock->subgroup_sizes[1] = 16;
    expect_refusal("no such size to ask for", "the device has no subgroups of 32 work-items");
    mock->subgroup_sizes[0] = 32;
    mock->subgroup_size = 1;
    ok(live() == 1 && is_clean(), "one of the sizes that kernels can ask for, whatever is said of them");

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
       "a size that the driver does not tell: %s", err.text);
    spmv_device_close(device);
    ok(is_clean(), "nothing is left");
    toy_device_program = kept;
}

static void test_build_log(void)
{
    spmv_device *device = NULL;
    spmv_error err = {SPMV_OK, ""};

    mock_reset();
    mock->failing = "BuildProgram";
    mock->fail_at = 1;
    mock->code = -11;
    open_mock(NULL, &device, NULL);
    ok(make_plan(device, &err) == NULL && err.status == SPMV_DEVICE_FAILED &&
       strstr(err.text, "cannot build toy.cl for 'Mock device': BUILD_PROGRAM_FAILURE; its log: "
                        "line 1: nothing is right") != NULL, "a build's log: %s", err.text);
    spmv_device_close(device);
    ok(is_clean(), "a build that fails leaves nothing");
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
       "a kernel that the text has not: %s", err.text);
    spmv_device_close(device);
    toy_device_program.kernel_count = 0;
    device = NULL;
    ok(open_mock(NULL, &device, &err) == SPMV_ABI_MISMATCH && strstr(err.text, "no kernels") != NULL,
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

/* A life of a device; 1 if all of it works, 0 where something says that it does not, -1 where it
 * only seems to work. */
static int live(void)
{
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    spmv_step_time time[SPMV_MAX_STEPS];
    int32_t count = 0;
    double *y = sample_vector(s, ROWS, 5);
    int result = 0;

    if (open_mock(NULL, &device, &err) == SPMV_OK && (plan = make_plan(device, &err)) != NULL &&
        spmv_plan_update_values(plan, s->csr.val, &err) == SPMV_OK &&
        spmv_execute_profile(plan, 2, s->x, 3, y, NULL, time, &count) == SPMV_OK)
        result = sample_is_right(s, y, 2, 3, 5) ? 1 : -1;
    else if (plan == NULL && err.text[0] == '\0')
        result = -1;
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    free(y);
    return result;
}

static void test_failures(void)
{
    static const struct {
        const char *function;
        int is_harmless;         /* something that only tells */
    } functions[] = {
        {"GetPlatformIDs", 0}, {"GetPlatformInfo", 1}, {"GetDeviceIDs", 0}, {"GetDeviceInfo", 1},
        {"CreateContext", 0}, {"CreateCommandQueue", 0}, {"CreateProgramWithSource", 0},
        {"BuildProgram", 0}, {"CreateKernel", 0}, {"SetKernelArg", 0}, {"CreateBuffer", 0},
        {"EnqueueReadBuffer", 0}, {"EnqueueWriteBuffer", 0}, {"EnqueueNDRangeKernel", 0},
        {"WaitForEvents", 0}, {"GetEventProfilingInfo", 1},
        {"GetProgramInfo", 1},
    };
    static const int codes[] = {-5, -36};

    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        int good = 1, clean = 1, tried = 0;
        for (int at = 1; at < 200; at++) {
            mock_reset();
            mock->failing = functions[f].function;
            mock->fail_at = at;
            mock->code = codes[at % 2];
            const int result = live();
            clean &= is_clean();
            if (mock->calls < at)
                break;
            tried++;
            good &= result == 0 || (functions[f].is_harmless && result == 1);
        }
        ok(tried > 0 && good && clean, "cl%s fails at each of its %d calls: told, nothing left",
           functions[f].function, tried);
    }
}

int main(int argc, char **argv)
{
    mock_begin(argc, argv);
    test_results();
    test_profile();
    test_host_step();
    test_update();
    test_cache();
    test_at_once();
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
