/* cuda/nvrtc.c: see cuda/nvrtc.h. */
#include "runtime/device/cuda/nvrtc.h"

#include "runtime/device/driver.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/device/program.h"
#include "runtime/base/environment.h"

#include <stdio.h>
#include <string.h>

/* ---- the library --------------------------------------------------------------------------- */

static const char *const library_names[] = {
    "libnvrtc.so.13",   "libnvrtc.so.12",   "libnvrtc.so.11.2",
    "libnvrtc.so.11.1", "libnvrtc.so.11.0", "libnvrtc.so.10.2",
    "libnvrtc.so.10.1", "libnvrtc.so.10.0", "libnvrtc.so.9.2",
    "libnvrtc.so.9.1",  "libnvrtc.so.9.0",  "libnvrtc.so.8.0",
    "libnvrtc.so.7.5",  "libnvrtc.so",      NULL,
};

#define NAMES "libnvrtc.so.13, .12, .11.2 and older, libnvrtc.so"

spmv_status spmv_cuda_nvrtc_open(spmv_cuda_nvrtc *nvrtc, spmv_error *err)
{
    const char *missing = NULL;

    *nvrtc = (spmv_cuda_nvrtc){ .library = NULL };
    nvrtc->library = spmv_driver_open(spmv_variable("SPMV_NVRTC_LIBRARY"), library_names);
    if (nvrtc->library == NULL)
        return spmv_error_set(err, SPMV_UNSUPPORTED, "nothing to compile it with: no NVRTC (" NAMES
                              "): %.160s; install NVRTC, a part of the CUDA toolkit "
                              "(SPMV_NVRTC_LIBRARY names its file), or build libspmv with nvcc",
                              spmv_driver_error());
#define FIND(name, symbol, parameters)                                                             \
    if (!spmv_driver_find(nvrtc->library, #symbol, &nvrtc->name) && missing == NULL)               \
        missing = #symbol;
    NVRTC_FUNCTIONS(FIND)
#undef FIND
#define FIND(result, name, symbol, parameters)                                                     \
    if (!spmv_driver_find(nvrtc->library, #symbol, &nvrtc->name) && missing == NULL)               \
        missing = #symbol;
    NVRTC_TEXT_FUNCTIONS(FIND)
#undef FIND
#define LOOK(name, symbol, parameters)                                                             \
    (void)spmv_driver_find(nvrtc->library, #symbol, &nvrtc->name);
    NVRTC_NEWER_FUNCTIONS(LOOK)
#undef LOOK
    if (missing != NULL) {
        spmv_cuda_nvrtc_close(nvrtc);
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "the NVRTC library has no %s; expected that of "
                              "CUDA 7.5 or later",
                              missing);
    }
    if (nvrtc->Version(&nvrtc->major, &nvrtc->minor) != NVRTC_SUCCESS)
        nvrtc->major = nvrtc->minor = 0;
    return SPMV_OK;
}

void spmv_cuda_nvrtc_close(spmv_cuda_nvrtc *nvrtc)
{
    spmv_driver_close(nvrtc->library);
    *nvrtc = (spmv_cuda_nvrtc){ .library = NULL };
}

/* ---- architectures ------------------------------------------------------------------------- */

/* Architectures to try, newest first, with compilers that do not list theirs. */
static const int older_architectures[] = { 90, 86, 80, 75, 70, 60, 50, 35, 30, 20 };

/* The newest architecture up to `limit` that the compiler lists. 0: none; -1: it has no list.
 * *least: the oldest in the list. */
static int newest_known(const spmv_cuda_nvrtc *nvrtc, int limit, int *least)
{
    int count = 0, newest = 0;
    int *known;

    *least = 0;
    if (nvrtc->GetNumSupportedArchs == NULL || nvrtc->GetSupportedArchs == NULL ||
        nvrtc->GetNumSupportedArchs(&count) != NVRTC_SUCCESS || count < 1 ||
        (known = spmv_memory_alloc((size_t)count * sizeof *known)) == NULL)
        return -1;
    if (nvrtc->GetSupportedArchs(known) != NVRTC_SUCCESS)
        newest = -1;
    for (int i = 0; i < count && newest >= 0; i++) {
        *least = *least == 0 || known[i] < *least ? known[i] : *least;
        newest = known[i] <= limit && known[i] > newest ? known[i] : newest;
    }
    spmv_memory_free(known);
    return newest;
}

/* ---- one compilation ----------------------------------------------------------------------- */

typedef struct compilation {
    const spmv_cuda_nvrtc *nvrtc;
    const spmv_cuda_state *state;
    const spmv_program *program;
    char *text;                  /* the program's text */
    char *options;               /* the program's options, each word terminated */
    const char **words;          /* the words of options, and room for one more */
    int word_count;
    nvrtc_program made;
} compilation;

static spmv_status no_memory(const compilation *c, spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory to compile %.128s", c->program->file);
}

static spmv_status split_options(compilation *c, spmv_error *err)
{
    const size_t length = strlen(c->program->options);

    c->options = spmv_memory_alloc(length + 1);
    c->words = spmv_memory_alloc((length / 2 + 2) * sizeof *c->words);
    if (c->options == NULL || c->words == NULL)
        return no_memory(c, err);
    memcpy(c->options, c->program->options, length + 1);
    for (char *at = c->options; *(at += strspn(at, " ")) != '\0';) {
        c->words[c->word_count++] = at;
        at += strcspn(at, " ");
        if (*at != '\0')
            *at++ = '\0';
    }
    return SPMV_OK;
}

static nvrtc_result compile_for(compilation *c, const char *kind, int architecture)
{
    const spmv_cuda_nvrtc *nvrtc = c->nvrtc;
    char option[48];
    nvrtc_result result;

    snprintf(option, sizeof option, "--gpu-architecture=%s_%d", kind, architecture);
    c->words[c->word_count] = option;
    if (c->made != NULL)
        nvrtc->DestroyProgram(&c->made);
    c->made = NULL;
    result = nvrtc->CreateProgram(&c->made, c->text, c->program->file, 0, NULL, NULL);
    if (result != NVRTC_SUCCESS) {
        c->made = NULL;
        return result;
    }
    return nvrtc->CompileProgram(c->made, c->word_count + 1, c->words);
}

/* The log, to end an error text, for the caller to free. NULL: none. */
static char *read_log(const compilation *c)
{
    size_t bytes = 0;
    char *log;

    if (c->made == NULL || c->nvrtc->GetProgramLogSize(c->made, &bytes) != NVRTC_SUCCESS ||
        bytes < 2 || (log = spmv_memory_alloc(bytes + 1)) == NULL)
        return NULL;
    log[bytes] = '\0';
    if (c->nvrtc->GetProgramLog(c->made, log) == NVRTC_SUCCESS)
        return log;
    spmv_memory_free(log);
    return NULL;
}

static spmv_status failed(const compilation *c, nvrtc_result result, spmv_error *err)
{
    const spmv_status status = result == NVRTC_OUT_OF_MEMORY ? SPMV_OUT_OF_MEMORY
                                                             : SPMV_DEVICE_FAILED;
    char *log = read_log(c);

    spmv_error_set(err, status, "NVRTC %d.%d cannot compile %.128s for '%.80s': %.80s%s%s",
                   c->nvrtc->major, c->nvrtc->minor, c->program->file, c->state->base.name,
                   c->nvrtc->GetErrorString(result), log != NULL ? "; its log: " : "",
                   log != NULL ? log : "");
    spmv_memory_free(log);
    return status;
}

static spmv_status take_image(const compilation *c, int is_cubin, char **image, size_t *bytes,
                              spmv_error *err)
{
    const spmv_cuda_nvrtc *nvrtc = c->nvrtc;
    nvrtc_result result = is_cubin ? nvrtc->GetCUBINSize(c->made, bytes)
                                   : nvrtc->GetPTXSize(c->made, bytes);

    if (result != NVRTC_SUCCESS)
        return failed(c, result, err);
    *image = spmv_memory_alloc(*bytes + 1);
    if (*image == NULL)
        return no_memory(c, err);
    result = is_cubin ? nvrtc->GetCUBIN(c->made, *image) : nvrtc->GetPTX(c->made, *image);
    if (result == NVRTC_SUCCESS)
        return SPMV_OK;
    spmv_memory_free(*image);
    *image = NULL;
    return failed(c, result, err);
}

static spmv_status compile(compilation *c, char **image, size_t *bytes, spmv_error *err)
{
    const int wanted = c->state->capability;
    int least;
    int is_cubin = c->nvrtc->GetCUBINSize != NULL && c->nvrtc->GetCUBIN != NULL;
    const int newest = newest_known(c->nvrtc, wanted, &least);
    nvrtc_result result;

    if (newest == 0)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "NVRTC %d.%d compiles for compute capability %d.%d "
                              "and newer; '%.80s' has %d.%d. Install an older NVRTC "
                              "(SPMV_NVRTC_LIBRARY names its file), or build libspmv with nvcc",
                              c->nvrtc->major, c->nvrtc->minor, least / 10, least % 10,
                              c->state->base.name, wanted / 10, wanted % 10);
    if (newest > 0 && newest < c->program->capability)
        return spmv_error_set(
            err, SPMV_UNSUPPORTED,
            "NVRTC %d.%d compiles for compute capability %d.%d "
            "and older; %.128s needs %d.%d. Install a newer NVRTC, or build libspmv "
            "with nvcc",
            c->nvrtc->major, c->nvrtc->minor, newest / 10, newest % 10, c->program->file,
            (int)c->program->capability / 10, (int)c->program->capability % 10);
    if (newest > 0)
        is_cubin = is_cubin && newest == wanted;
    result = compile_for(c, is_cubin ? "sm" : "compute", newest > 0 ? newest : wanted);
    /* A compiler without a list rejects an architecture that it does not know: try an older one. */
    for (size_t i = 0; i < sizeof older_architectures / sizeof older_architectures[0] &&
                       newest < 0 && result == NVRTC_INVALID_OPTION; i++)
        if (older_architectures[i] < wanted &&
            older_architectures[i] >= c->program->capability) {
            is_cubin = 0;
            result = compile_for(c, "compute", older_architectures[i]);
        }
    return result == NVRTC_SUCCESS ? take_image(c, is_cubin, image, bytes, err)
                                   : failed(c, result, err);
}

spmv_status spmv_cuda_nvrtc_compile(const spmv_cuda_nvrtc *nvrtc, const spmv_cuda_state *state,
                                    const spmv_program *program, char **image, size_t *bytes,
                                    spmv_error *err)
{
    compilation c = { .nvrtc = nvrtc, .state = state, .program = program };
    spmv_status status;

    *image = NULL;
    c.text = spmv_program_text(program);
    status = c.text == NULL ? no_memory(&c, err) : split_options(&c, err);
    if (status == SPMV_OK)
        status = compile(&c, image, bytes, err);
    if (c.made != NULL)
        nvrtc->DestroyProgram(&c.made);
    spmv_memory_free(c.text);
    spmv_memory_free(c.options);
    spmv_memory_free(c.words);
    return status;
}
