/* launch.h: a step that is a kernel, by the shim: its arguments are what has their names. */
#ifndef TEST_LAUNCH_H
#define TEST_LAUNCH_H

#include "runtime/spmv_module.h"

/* seed: of the order of work-items. NULL, or what is wrong, in memory that the next call writes. */
const char *launch_kernel(const spmv_module *module, const spmv_step *step, const spmv_job *job,
                          uint64_t seed);

#endif
