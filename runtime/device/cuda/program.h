/* cuda/program.h: the program of a module, loaded on a device. */
#ifndef SPMV_CUDA_PROGRAM_H
#define SPMV_CUDA_PROGRAM_H

#include "runtime/device/cuda/state.h"

/* Loads the module's program. The error text has the beginning of the compiler's log. */
spmv_status spmv_cuda_program_build(const spmv_cuda_state *state, const spmv_module *module,
                                    spmv_cuda_module *program, spmv_error *err);

#endif
