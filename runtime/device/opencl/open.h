/* opencl/open.h: how an OpenCL device is opened: by libspmv (open.c), or by a bundle in its
 * caller's queue. */
#ifndef SPMV_OPENCL_OPEN_H
#define SPMV_OPENCL_OPEN_H

#include "runtime/device/opencl/state.h"

/* From libspmv or the bundle: sets the state's functions, and its device, context and queue. queue:
 * the caller's; NULL: libspmv finds a device. wanted: as for spmv_backend.open. */
spmv_status spmv_opencl_open(spmv_opencl_state *state, spmv_opencl_queue queue, const char *wanted,
                             spmv_error *err);
void spmv_opencl_api_close(spmv_opencl_api *api);

/* Uses the caller's queue, with its context and device. */
spmv_status spmv_opencl_take_queue(spmv_opencl_state *state, spmv_opencl_queue queue,
                                   const char *wanted, spmv_error *err);

/* A text about the device; "" if it is longer than SPMV_DEVICE_NAME_SIZE. */
void spmv_opencl_text(const spmv_opencl_state *state, spmv_opencl_device device,
                      spmv_opencl_uint what, char *text);

/* A number of `bytes` bytes. 0: unknown. */
uint64_t spmv_opencl_number(const spmv_opencl_state *state, spmv_opencl_device device,
                            spmv_opencl_uint what, size_t bytes);

#endif
