/* test_cuda_program.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA: the sources of programs of the CUDA
 * backend: a built-in binary, the cache, NVRTC; the architecture of each; and the error if none has
 * a program. toy_device has a binary here; toy_alone has none. */
#define _XOPEN_SOURCE 700
#include "runtime/module/binaries.h"
#include "cuda_client.h"
#include "folder.h"
#include "../tap.h"

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

int main(int argc, char **argv)
{
    cuda_begin(argc, argv, 0);
    char *library = realpath(argv[1], NULL), *no_nvrtc = realpath(argv[3], NULL);
    test_built_in(library);
    test_compiled(no_nvrtc, library);
    cuda_end();
    cuda_begin(argc, argv, 1);
    mock->capability[0] = 86;
    expect("an NVRTC before CUDA 11.1 gives PTX", text_alone, "PTX compute_86", 1);
    cuda_end();
    cuda_begin(argc, argv, 0);
    test_cache();
    cuda_end();
    free(library);
    free(no_nvrtc);
    return tap_done();
}
