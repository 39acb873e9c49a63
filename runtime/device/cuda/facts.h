/* cuda/facts.h: the devices that there are, and what the driver tells of one. */
#ifndef SPMV_CUDA_FACTS_H
#define SPMV_CUDA_FACTS_H

#include "runtime/device/cuda/state.h"

/* The device's name as state.base.name has it. 0: the driver does not tell. */
int spmv_cuda_device_name(const spmv_cuda_state *state, spmv_cuda_device device,
                          char name[SPMV_DEVICE_NAME_SIZE]);

/* The device whose name contains `wanted`, or the first one (NULL). */
spmv_status spmv_cuda_device_find(const spmv_cuda_state *state, const char *wanted,
                                  spmv_cuda_device *device, spmv_error *err);

/* Writes the facts of state->device into the state. */
spmv_status spmv_cuda_read_facts(spmv_cuda_state *state, spmv_error *err);

#endif
