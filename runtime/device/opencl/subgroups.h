/* opencl/subgroups.h: extensions and subgroup sizes that a program needs beyond OpenCL 1.2. */
#ifndef SPMV_OPENCL_SUBGROUPS_H
#define SPMV_OPENCL_SUBGROUPS_H

#include "runtime/base/text.h"
#include "runtime/device/opencl/state.h"

/* Returns 1 if the device lacks a requirement of the program, and appends that to `why`. */
int spmv_opencl_lacks_needed(const spmv_opencl_state *state, const spmv_program *program,
                             spmv_text *why);

/* SPMV_UNSUPPORTED: the driver gives a kernel another subgroup size than its text needs. */
spmv_status spmv_opencl_check_subgroups(const spmv_opencl_state *state, const spmv_module *module,
                                        spmv_opencl_program program, spmv_error *err);

#endif
