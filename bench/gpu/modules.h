/* modules.h: contenders of libspmv: each module that the device can run for the matrix's types,
 * once with its initial settings, and once for each of its settings that change the time. */
#ifndef GPU_MODULES_H
#define GPU_MODULES_H

#include "bench/gpu/contender.h"
#include "runtime/spmv.h"

/* Writes up to `room` unprepared contenders to out. Returns the number of all. */
size_t gpu_modules_list(spmv_device *device, const gpu_setup *setup, gpu_contender *out,
                        size_t room, spmv_error *error);

#endif
