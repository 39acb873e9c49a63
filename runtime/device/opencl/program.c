/* opencl/program.c: building a module's program by the driver's compiler, or loading it from the
 * cache. */
#include "runtime/device/opencl/program.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/device/opencl/subgroups.h"
#include "runtime/device/program.h"

#if !SPMV_BUNDLE
#include "runtime/base/debug.h"
#include "runtime/file/cache.h"
#endif

#include <string.h>

/* The build log as a string, for the caller to free. NULL: none. */
static char *read_log(const spmv_opencl_state *state, spmv_opencl_program program)
{
    size_t bytes = 0;
    char *log;

    if (state->api.GetProgramBuildInfo(program, state->device, OCL_PROGRAM_BUILD_LOG, 0, NULL,
                                       &bytes) != OCL_SUCCESS || bytes == 0 ||
        (log = (char *)spmv_memory_alloc(bytes + 1)) == NULL)
        return NULL;
    if (state->api.GetProgramBuildInfo(program, state->device, OCL_PROGRAM_BUILD_LOG, bytes, log,
                                       NULL) != OCL_SUCCESS) {
        spmv_memory_free(log);
        return NULL;
    }
    log[bytes] = '\0';
    return log;
}

static spmv_status fail_build(const spmv_opencl_state *state, const spmv_module *module,
                                spmv_opencl_program program, spmv_opencl_int code, spmv_error *err)
{
    char buffer[32];
    char *log = read_log(state, program);

    spmv_error_set(err, SPMV_DEVICE_FAILED, "OpenCL cannot build %.128s for '%.60s': %s%s%s",
                   module->program->file, state->base.name, spmv_opencl_error_name(code, buffer),
                   log != NULL ? "; its log: " : "", log != NULL ? log : "");
    spmv_memory_free(log);
    return SPMV_DEVICE_FAILED;
}

/* ---- from the text -------------------------------------------------------------------------- */

static spmv_status build_text(const spmv_opencl_state *state, const spmv_module *module,
                              spmv_opencl_program *program, spmv_error *err)
{
    char *text = spmv_program_text(module->program);
    const char *string = text;
    spmv_opencl_int code = OCL_SUCCESS;

    if (text == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the text of %.128s",
                              module->program->file);
    *program = state->api.CreateProgramWithSource(state->context, 1, &string, NULL, &code);
    spmv_memory_free(text);
    if (code != OCL_SUCCESS) {
        *program = NULL;
        return spmv_opencl_failed(code, "take a program's text", err);
    }
    code = state->api.BuildProgram(*program, 1, &state->device, module->program->options, NULL,
                                   NULL);
    return code == OCL_SUCCESS ? SPMV_OK : fail_build(state, module, *program, code, err);
}

#if SPMV_BUNDLE

spmv_status spmv_opencl_program_build(const spmv_opencl_state *state, const spmv_module *module,
                                      spmv_opencl_program *program, spmv_error *err)
{
    const spmv_status status = build_text(state, module, program, err);

    return status == SPMV_OK ? spmv_opencl_check_subgroups(state, module, *program, err) : status;
}

#else

/* ---- from the cache ------------------------------------------------------------------------- */

static uint64_t key_of(const spmv_opencl_state *state, const spmv_program *text)
{
    uint64_t key = spmv_cache_key_of(text);

    key = spmv_cache_key_with_text(key, state->platform_name);
    key = spmv_cache_key_with_text(key, state->base.name);
    return spmv_cache_key_with_text(key, state->driver);
}

/* NULL: a miss, or a binary that the driver no longer accepts. */
static spmv_opencl_program build_cached(const spmv_opencl_state *state, const spmv_program *text,
                                        uint64_t key)
{
    size_t bytes = 0;
    unsigned char *binary = spmv_cache_read(key, &bytes);
    const unsigned char *given = binary;
    spmv_opencl_int taken = OCL_SUCCESS, code = OCL_SUCCESS;
    spmv_opencl_program program;
    char line[512];
    spmv_text words = spmv_text_begin(line, sizeof line);

    if (binary == NULL)
        return NULL;
    program = state->api.CreateProgramWithBinary(state->context, 1, &state->device, &bytes, &given,
                                                 &taken, &code);
    spmv_memory_free(binary);
    if (code == OCL_SUCCESS) {
        if (taken == OCL_SUCCESS &&
            state->api.BuildProgram(program, 1, &state->device, text->options, NULL, NULL) ==
                OCL_SUCCESS)
            return program;
        state->api.ReleaseProgram(program);
    }
    spmv_text_add(&words, "cache: '%s' does not take the binary that was kept of %s",
                  state->base.name, text->file);
    spmv_debug_line(line);
    return NULL;
}

static void keep(const spmv_opencl_state *state, spmv_opencl_program program, uint64_t key)
{
    size_t bytes = 0;
    unsigned char *binary;

    if (state->api.GetProgramInfo(program, OCL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) !=
            OCL_SUCCESS || bytes == 0 || (binary = spmv_memory_alloc(bytes)) == NULL)
        return;
    if (state->api.GetProgramInfo(program, OCL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) ==
        OCL_SUCCESS)
        spmv_cache_write(key, binary, bytes);
    spmv_memory_free(binary);
}

/* ---- a program ------------------------------------------------------------------------------ */

spmv_status spmv_opencl_program_build(const spmv_opencl_state *state, const spmv_module *module,
                                      spmv_opencl_program *program, spmv_error *err)
{
    const uint64_t key = key_of(state, module->program);
    spmv_status status;

    *program = build_cached(state, module->program, key);
    if (*program != NULL)
        return spmv_opencl_check_subgroups(state, module, *program, err);
    status = build_text(state, module, program, err);
    if (status == SPMV_OK)
        keep(state, *program, key);
    return status == SPMV_OK ? spmv_opencl_check_subgroups(state, module, *program, err) : status;
}

#endif
