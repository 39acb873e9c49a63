/* opencl/subgroups.h: what a program needs beyond OpenCL 1.2, subgroups above all. */
#ifndef SPMV_OPENCL_SUBGROUPS_H
#define SPMV_OPENCL_SUBGROUPS_H

#include "runtime/base/text.h"
#include "runtime/device/opencl/state.h"

/* Does the device lack what the program needs? Then `why` gets the end of a sentence. */
int spmv_opencl_lacks_needed(const spmv_opencl_state *state, const spmv_program *program,
                             spmv_text *why);

/* SPMV_UNSUPPORTED where the driver gives a kernel subgroups of another size than its text relies
 * on. */
spmv_status spmv_opencl_check_subgroups(const spmv_opencl_state *state, const spmv_module *module,
                                        spmv_opencl_program program, spmv_error *err);

#endif
