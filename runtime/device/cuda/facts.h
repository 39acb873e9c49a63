/* cuda/facts.h: finding a CUDA device and reading its attributes. */
#ifndef SPMV_CUDA_FACTS_H
#define SPMV_CUDA_FACTS_H

#include "runtime/device/cuda/state.h"

/* Writes the device's name as in state.base.name. Returns 0 if the driver does not report
 * it. */
int spmv_cuda_device_name(const spmv_cuda_state *state, spmv_cuda_device device,
                          char name[SPMV_DEVICE_NAME_SIZE]);

/* Finds the first device whose name contains `wanted` (NULL: any). */
spmv_status spmv_cuda_device_find(const spmv_cuda_state *state, const char *wanted,
                                  spmv_cuda_device *device, spmv_error *err);

/* Reads the attributes of state->device into the state. */
spmv_status spmv_cuda_read_facts(spmv_cuda_state *state, spmv_error *err);

#endif
