/* modules.h: contenders of libspmv: every module that the device can run and whose types are the
 * matrix's, each with its settings as they are and, where that is of interest, in another way. */
#ifndef GPU_MODULES_H
#define GPU_MODULES_H

#include "bench/gpu/contender.h"
#include "runtime/spmv.h"

/* How many contenders there are; those that there is room for are written to out, not yet prepared.
 */
size_t gpu_modules_list(spmv_device *device, const gpu_setup *setup, gpu_contender *out,
                        size_t room, gpu_fault *fault);

#endif
