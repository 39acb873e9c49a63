/* launch.h: runs a kernel step in the shim; each argument is the array or value of its name. */
#ifndef TEST_LAUNCH_H
#define TEST_LAUNCH_H

#include "runtime/spmv_module.h"

/* seed: determines the order of work-items. Returns NULL, or a fault's text, valid until the next
 * call. */
const char *launch_kernel(const spmv_module *module, const spmv_step *step, const spmv_job *job,
                          uint64_t seed);

#endif
