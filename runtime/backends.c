/* backends.c: the backends that are built in. */
#include "backend.h"

#include "cuda_backend.h"
#include "opencl.h"

#include <string.h>

const spmv_backend *const spmv_backends[] = { &spmv_opencl_backend, &spmv_cuda_backend, NULL };

const spmv_backend *spmv_backend_find(const char *language)
{
    for (int i = 0; spmv_backends[i] != NULL; i++)
        if (strcmp(spmv_backends[i]->language, language) == 0)
            return spmv_backends[i];
    return NULL;
}
