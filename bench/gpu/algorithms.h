/* algorithms.h: contenders of cuSPARSE: every algorithm of cusparseSpMV that this version of the
 * library has and that the matrix suits, each preprocessed where there is such a step, its buffers
 * allocated before anything is timed. */
#ifndef GPU_ALGORITHMS_H
#define GPU_ALGORITHMS_H

#include <cusparse.h>

#include "bench/gpu/contender.h"

/* 1000 * major + 100 * minor + patch; 0: not known. */
int gpu_cusparse_version(cusparseHandle_t handle);

/* On the device's stream. */
bool gpu_cusparse_open(const gpu_device *device, cusparseHandle_t *out, gpu_error *error);

/* The algorithms of this library, as names with commas, for reports. */
const char *gpu_algorithms_known(void);

/* As gpu_modules_list. What does not suit the matrix is no contender. */
size_t gpu_algorithms_list(cusparseHandle_t handle, const gpu_setup *setup, gpu_contender *out,
                           size_t room, gpu_error *error);

#endif
