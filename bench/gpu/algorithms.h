/* algorithms.h: contenders of cuSPARSE: each algorithm of cusparseSpMV that this version of the
 * library has and that suits the matrix. Preprocessing, if the library has it, and the allocation
 * of buffers precede all timing. */
#ifndef GPU_ALGORITHMS_H
#define GPU_ALGORITHMS_H

#include <cusparse.h>

#include "bench/gpu/contender.h"

/* 1000 * major + 100 * minor + patch; 0: not known. */
int gpu_cusparse_version(cusparseHandle_t handle);

/* Opens the library on the device's stream. */
bool gpu_cusparse_open(const gpu_device *device, cusparseHandle_t *out, spmv_error *error);

/* Names of this library's algorithms, separated by commas, for reports. */
const char *gpu_algorithms_known(void);

/* As gpu_modules_list. An algorithm that does not suit the matrix is left out. */
size_t gpu_algorithms_list(cusparseHandle_t handle, const gpu_setup *setup, gpu_contender *out,
                           size_t room, spmv_error *error);

#endif
