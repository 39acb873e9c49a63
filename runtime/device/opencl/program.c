/* opencl/program.c: building a module's program by the driver's compiler, or loading it from the
 * cache. */
#include "runtime/device/opencl/program.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/device/opencl/subgroups.h"
#include "runtime/device/program.h"

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

spmv_status spmv_opencl_build_text(const spmv_opencl_state *state, const spmv_module *module,
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
