/* cuda/program.c: see cuda/program.h. A program is loaded from the built-in binary, else from a
 * binary in the cache, else from the text, compiled by NVRTC. */
#include "runtime/device/cuda/program.h"

#include "runtime/device/binaries.h"
#include "runtime/file/cache.h"
#include "runtime/device/cuda/nvrtc.h"
#include "runtime/base/debug.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdio.h>

/* ---- loading -------------------------------------------------------------------------------- */

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

/* ---- binary, cache or text ------------------------------------------------------------------ */

static spmv_status build(const spmv_cuda_state *state, const spmv_module *module,
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

/* ---- kernels -------------------------------------------------------------------------------- */

/* The driver gives more local memory than may be declared only on request. */
static spmv_status request_memory(const spmv_cuda_state *state, const spmv_kernel *kernel,
                                  spmv_cuda_function function, spmv_error *err)
{
    char doing[112];
    spmv_cuda_result code;

    if (kernel->local_bytes + kernel->dynamic_bytes <= state->local_memory)
        return SPMV_OK;
    code = state->api.FuncSetAttribute(function, CU_FUNC_MAX_DYNAMIC_SHARED_MEMORY,
                                       kernel->dynamic_bytes);
    if (code == CU_SUCCESS)
        return SPMV_OK;
    snprintf(doing, sizeof doing, "give kernel %.64s %d bytes of local memory", kernel->name,
             (int)kernel->dynamic_bytes);
    return spmv_cuda_failed(&state->api, code, doing, err);
}

/* Reading an attribute makes a driver with lazy loading load the kernel now. During a capture it
 * could not load the kernel. */
static spmv_status find_kernel(const spmv_cuda_state *state, spmv_cuda_program *p, int32_t k,
                               spmv_error *err)
{
    const spmv_cuda_api *api = &state->api;
    const spmv_kernel *kernel = &p->module->program->kernels[k];
    char doing[96];
    int most = 0;
    spmv_cuda_result code = api->ModuleGetFunction(&p->kernel[k], p->loaded, kernel->symbol);

    if (code == CU_SUCCESS)
        code = api->FuncGetAttribute(&most, CU_FUNC_MAX_THREADS_PER_BLOCK, p->kernel[k]);
    if (code != CU_SUCCESS) {
        snprintf(doing, sizeof doing, "find kernel %.64s", kernel->name);
        return spmv_cuda_failed(api, code, doing, err);
    }
    if (most >= kernel->work_group_size)
        return request_memory(state, kernel, p->kernel[k], err);
    return spmv_error_set(err, SPMV_UNSUPPORTED,
                          "kernel %.64s of %.64s has work-groups of %d "
                          "work-items, but as it was compiled for '%.80s' at most %d fit; take a "
                          "target with smaller work-groups",
                          kernel->name, p->module->name, (int)kernel->work_group_size,
                          state->base.name, most);
}

static spmv_status find_kernels(const spmv_cuda_state *state, spmv_cuda_program *p,
                                spmv_error *err)
{
    spmv_status status = SPMV_OK;

    for (int32_t k = 0; k < p->module->program->kernel_count && status == SPMV_OK; k++)
        status = find_kernel(state, p, k, err);
    return status;
}

/* ---- sharing a program ---------------------------------------------------------------------- */

/* The entry of the module, with one more reference. NULL: out of memory. */
static spmv_cuda_program *find_entry(spmv_cuda_state *state, const spmv_module *module)
{
    spmv_cuda_program *p;

    pthread_mutex_lock(&state->programs_busy);
    for (p = state->programs; p != NULL && p->module != module;)
        p = p->next;
    if (p == NULL && (p = spmv_memory_alloc_zeroed(sizeof *p)) != NULL) {
        p->module = module;
        pthread_mutex_init(&p->loading, NULL);
        p->next = state->programs;
        state->programs = p;
    }
    if (p != NULL)
        p->references++;
    pthread_mutex_unlock(&state->programs_busy);
    return p;
}

static spmv_status make_ready(const spmv_cuda_state *state, spmv_cuda_program *p, spmv_error *err)
{
    spmv_status status = build(state, p->module, &p->loaded, err);

    if (status != SPMV_OK)
        return status;
    status = find_kernels(state, p, err);
    p->is_ready = status == SPMV_OK;
    if (!p->is_ready)
        state->api.ModuleUnload(p->loaded);
    return status;
}

spmv_status spmv_cuda_program_take(spmv_cuda_state *state, const spmv_module *module,
                                   spmv_cuda_program **out, spmv_error *err)
{
    spmv_cuda_program *p = find_entry(state, module);
    spmv_status status = SPMV_OK;

    *out = NULL;
    if (p == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for a program");
    pthread_mutex_lock(&p->loading);
    if (!p->is_ready)
        status = make_ready(state, p, err);
    pthread_mutex_unlock(&p->loading);
    if (status == SPMV_OK)
        *out = p;
    else
        spmv_cuda_program_give_back(state, p, 1);
    return status;
}

void spmv_cuda_program_give_back(spmv_cuda_state *state, spmv_cuda_program *program,
                                 int is_entered)
{
    spmv_cuda_program **link = &state->programs;
    int is_last;

    if (program == NULL)
        return;
    pthread_mutex_lock(&state->programs_busy);
    is_last = --program->references == 0;
    while (is_last && *link != program)
        link = &(*link)->next;
    if (is_last)
        *link = program->next;
    pthread_mutex_unlock(&state->programs_busy);
    if (!is_last)
        return;
    if (program->is_ready && is_entered)
        state->api.ModuleUnload(program->loaded);
    pthread_mutex_destroy(&program->loading);
    spmv_memory_free(program);
}
