/* cuda/nvrtc.h: declarations of NVRTC, NVIDIA's library that compiles CUDA at run time. It is
 * loaded if a program has no binary. It keeps no state between calls; any number may run at
 * once. */
#ifndef SPMV_CUDA_NVRTC_H
#define SPMV_CUDA_NVRTC_H

#include "runtime/device/cuda/state.h"

typedef int nvrtc_result;
typedef struct nvrtc_program_object *nvrtc_program;

enum {
    NVRTC_SUCCESS = 0,
    NVRTC_OUT_OF_MEMORY = 1,
    NVRTC_INVALID_OPTION = 5,
    NVRTC_COMPILATION = 6
};

/* The required functions: name here, name in the library, parameters. */
#define NVRTC_FUNCTIONS(F)                                                                         \
    F(Version, nvrtcVersion, (int *, int *))                                                       \
    F(CreateProgram, nvrtcCreateProgram, (nvrtc_program *, const char *, const char *, int,        \
                                          const char *const *, const char *const *))               \
    F(DestroyProgram, nvrtcDestroyProgram, (nvrtc_program *))                                      \
    F(CompileProgram, nvrtcCompileProgram, (nvrtc_program, int, const char *const *))              \
    F(GetPTXSize, nvrtcGetPTXSize, (nvrtc_program, size_t *))                                      \
    F(GetPTX, nvrtcGetPTX, (nvrtc_program, char *))                                                \
    F(GetProgramLogSize, nvrtcGetProgramLogSize, (nvrtc_program, size_t *))                        \
    F(GetProgramLog, nvrtcGetProgramLog, (nvrtc_program, char *))

/* Functions that are NULL before CUDA 11.1 and 11.2. */
#define NVRTC_NEWER_FUNCTIONS(F)                                                                   \
    F(GetCUBINSize, nvrtcGetCUBINSize, (nvrtc_program, size_t *))                                  \
    F(GetCUBIN, nvrtcGetCUBIN, (nvrtc_program, char *))                                            \
    F(GetNumSupportedArchs, nvrtcGetNumSupportedArchs, (int *))                                    \
    F(GetSupportedArchs, nvrtcGetSupportedArchs, (int *))

/* The function that returns a text. */
#define NVRTC_TEXT_FUNCTIONS(F) F(const char *, GetErrorString, nvrtcGetErrorString, (nvrtc_result))

#define NVRTC_MEMBER(name, symbol, parameters) nvrtc_result (*name) parameters;
#define NVRTC_TEXT_MEMBER(result, name, symbol, parameters) result (*name) parameters;

typedef struct spmv_cuda_nvrtc {
    void *library;
    int major, minor;            /* its version */
    NVRTC_FUNCTIONS(NVRTC_MEMBER)
    NVRTC_NEWER_FUNCTIONS(NVRTC_MEMBER)
    NVRTC_TEXT_FUNCTIONS(NVRTC_TEXT_MEMBER)
} spmv_cuda_nvrtc;

/* Loads the library: SPMV_NVRTC_LIBRARY of the environment, or the newest of the system. */
spmv_status spmv_cuda_nvrtc_open(spmv_cuda_nvrtc *nvrtc, spmv_error *err);
void spmv_cuda_nvrtc_close(spmv_cuda_nvrtc *nvrtc);

/* Compiles the module's text to an image for the driver, which the caller frees with
 * spmv_memory_free: code of the device's architecture or, if the compiler does not know that, PTX
 * of an older one. The error text has the beginning of the log. */
spmv_status spmv_cuda_nvrtc_compile(const spmv_cuda_nvrtc *nvrtc, const spmv_cuda_state *state,
                                    const spmv_program *program, char **image, size_t *bytes,
                                    spmv_error *err);

#endif
