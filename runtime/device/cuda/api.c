/* cuda/api.c: see cuda/api.h. */
#include "runtime/device/cuda/api.h"

#include "runtime/device/driver.h"
#include "runtime/base/error.h"
#include "runtime/base/environment.h"

#include <stdio.h>

/* The driver installs it. A toolkit alone has a stub of another name. */
static const char *const library_names[] = { "libcuda.so.1", "libcuda.so", NULL };

spmv_status spmv_cuda_api_open(spmv_cuda_api *api, spmv_error *err)
{
    const char *missing = NULL;

    *api = (spmv_cuda_api){ .library = NULL };
    api->library = spmv_driver_open(spmv_variable("SPMV_CUDA_LIBRARY"), library_names);
    if (api->library == NULL)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "no CUDA driver: %.200s; install NVIDIA's driver, "
                              "which brings libcuda.so.1; SPMV_CUDA_LIBRARY names another file",
                              spmv_driver_error());
#define FIND(name, symbol, parameters)                                                             \
    if (!spmv_driver_find(api->library, #symbol, &api->name) && missing == NULL)                   \
        missing = #symbol;
    CU_FUNCTIONS(FIND)
#undef FIND
#define LOOK(name, symbol, parameters) (void)spmv_driver_find(api->library, #symbol, &api->name);
    CU_NEWER_FUNCTIONS(LOOK)
#undef LOOK
    if (missing == NULL)
        return SPMV_OK;
    spmv_cuda_api_close(api);
    return spmv_error_set(err, SPMV_UNSUPPORTED,
                          "the CUDA driver has no %s; expected that of CUDA 6.0 "
                          "or later",
                          missing);
}

void spmv_cuda_api_close(spmv_cuda_api *api)
{
    spmv_driver_close(api->library);
    *api = (spmv_cuda_api){ .library = NULL };
}

/* ---- errors -------------------------------------------------------------------------------- */

const char *spmv_cuda_error_text(const spmv_cuda_api *api, spmv_cuda_result code,
                                 char words[CU_ERROR_SIZE])
{
    const char *name = NULL, *meaning = NULL;

    if (api->GetErrorName == NULL || api->GetErrorName(code, &name) != CU_SUCCESS || name == NULL)
        snprintf(words, CU_ERROR_SIZE, "error %d", code);
    else if (api->GetErrorString == NULL || api->GetErrorString(code, &meaning) != CU_SUCCESS ||
             meaning == NULL)
        snprintf(words, CU_ERROR_SIZE, "%.60s", name);
    else
        snprintf(words, CU_ERROR_SIZE, "%.60s (%.90s)", name, meaning);
    return words;
}

spmv_status spmv_cuda_failed(const spmv_cuda_api *api, spmv_cuda_result code, const char *what,
                             spmv_error *err)
{
    char words[CU_ERROR_SIZE];

    return spmv_error_set(err, code == CU_OUT_OF_MEMORY ? SPMV_OUT_OF_MEMORY : SPMV_DEVICE_FAILED,
                          "CUDA cannot %s: %s", what, spmv_cuda_error_text(api, code, words));
}
