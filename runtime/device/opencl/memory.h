/* opencl/memory.h: memory that kernels reach: buffers of the device, and what host and device
 * share.
 *
 * How they share is the device's word (OpenCL 2.0, 3.3.3, "shared virtual memory"), or that of
 * SPMV_MEMORY:
 *
 *     separate   nothing: contents are copied
 *     coarse     what spmv_opencl_shared_alloc gives, in turns: lent to the device while an execute
 *                uses it
 *     fine       the same memory, at any time: what a kernel wrote is there once it has ended
 *     system     all of the host's memory, likewise
 */
#ifndef SPMV_OPENCL_MEMORY_H
#define SPMV_OPENCL_MEMORY_H

#include "runtime/device/device_plan.h"
#include "runtime/device/opencl/state.h"

/* `opened` is the spmv_opencl_state in functions of spmv_device_ops. */

/* ---- buffers ------------------------------------------------------------------------------- */

/* Makes a buffer of the size; none for no bytes. `what` names it in errors. */
spmv_status spmv_opencl_buffer_make(void *opened, const char *what, size_t bytes, void **buffer,
                                    spmv_error *err);
void spmv_opencl_buffer_free(void *opened, void **buffer);

/* What the device sees of an array of the host that a plan keeps: the array itself where they share
 * it, else a buffer with its contents, made unless the area has one. */
spmv_status spmv_opencl_area_take(spmv_opencl_state *state, const char *what,
                                  const void *data, size_t bytes, spmv_area *area,
                                  spmv_error *err);

/* ---- shared memory ------------------------------------------------------------------------- */

/* What the device can, or what the environment asks for. */
spmv_status spmv_opencl_sharing_choose(spmv_opencl_state *state, spmv_error *err);

/* Whether what plans of the module keep is to be in shared memory: where the target's page says
 * that the device shares it, or the environment does. */
int spmv_opencl_shares(const spmv_opencl_state *state, const spmv_module *module);

/* Memory for both. NULL with SPMV_OK: they share nothing. */
spmv_status spmv_opencl_shared_alloc(void *opened, size_t bytes, void **out);

/* Returns 0 for memory that is not of spmv_opencl_shared_alloc. */
int spmv_opencl_shared_free(void *opened, void *memory);

/* Whether all of it is shared. */
int spmv_opencl_is_shared(spmv_opencl_state *state, const void *memory, size_t bytes);

/* Whether both lie in one allocation. */
int spmv_opencl_shared_is_same(spmv_opencl_state *state, const void *a, const void *b);

/* The device is about to use shared memory, on this queue; and has ended to. Coarse sharing alone
 * has something to do then. */
spmv_opencl_int spmv_opencl_shared_lend(spmv_opencl_state *state, spmv_opencl_queue queue,
                                        const void *memory);
spmv_opencl_int spmv_opencl_shared_return(spmv_opencl_state *state, spmv_opencl_queue queue,
                                          const void *memory);

#endif
