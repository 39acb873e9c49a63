/* opencl/program.h: the program of a module, built for a device. */
#ifndef SPMV_OPENCL_PROGRAM_H
#define SPMV_OPENCL_PROGRAM_H

#include "runtime/device/opencl/state.h"

/* From libspmv (program_cache.c) or the bundle: builds the module's program, and checks its
 * subgroups. The error text has the beginning of the build log. */
spmv_status spmv_opencl_program_build(const spmv_opencl_state *state, const spmv_module *module,
                                      spmv_opencl_program *program, spmv_error *err);

/* Builds it from its text. */
spmv_status spmv_opencl_build_text(const spmv_opencl_state *state, const spmv_module *module,
                                   spmv_opencl_program *program, spmv_error *err);

#endif
