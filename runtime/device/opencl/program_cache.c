/* opencl/program_cache.c: spmv_opencl_program_build of libspmv, by the cache of programs. Bundles
 * do without this file. */
#include "runtime/device/opencl/program.h"

#include "runtime/base/debug.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/device/opencl/subgroups.h"
#include "runtime/file/cache.h"

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
    status = spmv_opencl_build_text(state, module, program, err);
    if (status == SPMV_OK)
        keep(state, *program, key);
    return status == SPMV_OK ? spmv_opencl_check_subgroups(state, module, *program, err) : status;
}
