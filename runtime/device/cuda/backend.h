/* cuda/backend.h: the CUDA backend. */
#ifndef SPMV_CUDA_BACKEND_H
#define SPMV_CUDA_BACKEND_H

#include "runtime/device/backend.h"

extern const spmv_backend spmv_cuda_backend;

#endif
