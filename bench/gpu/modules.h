/* modules.h: entrants of libspmv: every module that the device can run and whose types are the
 * matrix's, each with its settings as they are and, where that is of interest, in another way. */
#ifndef GPU_MODULES_H
#define GPU_MODULES_H

#include "bench/gpu/entrant.h"
#include "runtime/spmv.h"

/* How many entrants there are; those that there is room for are written to out, not yet prepared. */
size_t gpu_modules_list(spmv_device *device, const gpu_setup *setup, gpu_entrant *out, size_t room,
                        gpu_fault *fault);

#endif
