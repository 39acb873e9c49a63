/* cuda/program.c: loading a module's program: the built-in binary, else a binary from the cache,
 * else the text, compiled by NVRTC. */
#include "runtime/device/cuda/program.h"

#include "runtime/module/binaries.h"
#include "runtime/file/cache.h"
#include "runtime/device/cuda/nvrtc.h"
#include "runtime/base/debug.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"

/* ---- loading ------------------------------------------------------------------------------- */

enum { LOG_SIZE = 1024 };

/* image: code of the device, PTX as a string, or an archive of several. */
static spmv_status load(const spmv_cuda_state *state, const spmv_program *program,
                        const void *image, spmv_cuda_module *module, spmv_error *err)
{
    char log[LOG_SIZE] = "", words[CU_ERROR_SIZE];
    int option[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE };
    void *value[] = { log, (void *)(uintptr_t)(LOG_SIZE - 1) };
    const spmv_cuda_result code = state->api.ModuleLoadDataEx(module, image, 2, option, value);

    if (code == CU_SUCCESS)
        return SPMV_OK;
    *module = NULL;
    log[LOG_SIZE - 1] = '\0';
    return spmv_error_set(err, code == CU_OUT_OF_MEMORY ? SPMV_OUT_OF_MEMORY : SPMV_DEVICE_FAILED,
                          "CUDA cannot load %.128s on '%.80s': %s%s%s", program->file,
                          state->base.name, spmv_cuda_error_text(&state->api, code, words),
                          log[0] != '\0' ? "; its log: " : "", log);
}

/* Loads the built-in binary. NULL: there is none, or the driver rejects it; `why` says which. */
static spmv_cuda_module load_binary(const spmv_cuda_state *state, const spmv_module *module,
                                    spmv_text *why)
{
    const spmv_binary *binary = spmv_binary_find(module);
    spmv_error err = { SPMV_OK, "" };
    spmv_cuda_module loaded = NULL;

    if (binary == NULL)
        spmv_text_add(why, "no binary of %.128s was built in", module->program->file);
    else if (binary->capability > state->capability)
        spmv_text_add(why,
                      "the binary of %.128s that was built in is for compute capability %d.%d and "
                      "newer",
                      module->program->file, (int)binary->capability / 10,
                      (int)binary->capability % 10);
    else if (load(state, module->program, binary->image, &loaded, &err) != SPMV_OK)
        spmv_text_add(why, "the binary that was built in is not taken: %.400s", err.text);
    return loaded;
}

/* ---- from the cache ------------------------------------------------------------------------- */

static uint64_t key_of(const spmv_cuda_state *state, const spmv_cuda_nvrtc *nvrtc,
                       const spmv_program *program)
{
    const int facts[] = { state->capability, state->driver_version, nvrtc->major, nvrtc->minor,
                          (int)sizeof(void *) };
    const uint64_t key = spmv_cache_key_with_text(spmv_cache_key_of(program), "cuda");

    return spmv_cache_key_with(spmv_cache_key_with_text(key, state->base.name), facts,
                               sizeof facts);
}

/* NULL: a miss, or a binary that the driver no longer accepts. */
static spmv_cuda_module load_cached(const spmv_cuda_state *state, const spmv_program *program,
                                    uint64_t key)
{
    size_t bytes = 0;
    char *image = spmv_cache_read(key, &bytes);
    spmv_error err = { SPMV_OK, "" };
    char line[512];
    spmv_text words = spmv_text_begin(line, sizeof line);
    spmv_cuda_module loaded = NULL;

    if (image == NULL)
        return NULL;
    if (load(state, program, image, &loaded, &err) != SPMV_OK) {
        spmv_text_add(&words, "cache: what was kept is not taken: %s", err.text);
        spmv_debug_line(line);
    }
    spmv_memory_free(image);
    return loaded;
}

/* ---- from the text -------------------------------------------------------------------------- */

static spmv_status compile(const spmv_cuda_state *state, const spmv_cuda_nvrtc *nvrtc,
                           const spmv_program *program, spmv_cuda_module *module, spmv_error *err)
{
    const uint64_t key = key_of(state, nvrtc, program);
    char *image = NULL;
    size_t bytes = 0;
    spmv_status status;

    *module = load_cached(state, program, key);
    if (*module != NULL)
        return SPMV_OK;
    status = spmv_cuda_nvrtc_compile(nvrtc, state, program, &image, &bytes, err);
    if (status == SPMV_OK)
        status = load(state, program, image, module, err);
    if (status == SPMV_OK)
        spmv_cache_write(key, image, bytes);
    spmv_memory_free(image);
    return status;
}

/* ---- a program ------------------------------------------------------------------------------ */

spmv_status spmv_cuda_program_build(const spmv_cuda_state *state, const spmv_module *module,
                                    spmv_cuda_module *program, spmv_error *err)
{
    char words[640];
    spmv_text why = spmv_text_begin(words, sizeof words);
    spmv_cuda_nvrtc nvrtc;
    spmv_status status;

    *program = load_binary(state, module, &why);
    if (*program != NULL)
        return SPMV_OK;
    spmv_debug_line(words);
    status = spmv_cuda_nvrtc_open(&nvrtc, err);
    if (status != SPMV_OK)
        return spmv_error_within(err, words, status);
    status = compile(state, &nvrtc, module->program, program, err);
    spmv_cuda_nvrtc_close(&nvrtc);
    return status;
}
