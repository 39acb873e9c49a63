/* backend_list.c: see backend_list.h. */
#include "runtime/library/devices/backend_list.h"

#include "runtime/device/cuda/backend.h"
#include "runtime/device/opencl/backend.h"

#include <string.h>

const spmv_backend *const spmv_backends[] = { &spmv_opencl_backend, &spmv_cuda_backend, NULL };

const spmv_backend *spmv_backend_find(const char *language)
{
    for (int i = 0; spmv_backends[i] != NULL; i++)
        if (strcmp(spmv_backends[i]->language, language) == 0)
            return spmv_backends[i];
    return NULL;
}
