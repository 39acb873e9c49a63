/* opencl/memory.h: memory of kernels: buffers of the device, and memory that host and device share.
 *
 * The kind of sharing is the best that the device offers (OpenCL 2.0, 3.3.3, "shared virtual
 * memory"); in libspmv the environment's SPMV_MEMORY can set it. A bundle has no memory of its own
 * that takes turns. Shared is:
 *
 *     separate   no memory: contents are copied
 *     coarse     memory of spmv_opencl_shared_alloc, in turns: it is lent to the device while an
 *                execute uses it
 *     fine       the same memory, at any time: the host sees a kernel's results once the kernel has
 *                ended
 *     system     all host memory, at any time
 */
#ifndef SPMV_OPENCL_MEMORY_H
#define SPMV_OPENCL_MEMORY_H

#include "runtime/device/device_plan.h"
#include "runtime/device/opencl/state.h"

/* In functions of spmv_device_ops `opened` is the spmv_opencl_state. */

/* ---- buffers ------------------------------------------------------------------------------- */

/* Allocates a buffer; `what` names it in errors. For 0 bytes *buffer is NULL. */
spmv_status spmv_opencl_buffer_make(void *opened, const char *what, size_t bytes, void **buffer,
                                    spmv_error *err);
void spmv_opencl_buffer_free(void *opened, void **buffer);

/* Makes an array of the host visible to the device for the lifetime of a plan: the array itself if
 * it is shared, else a buffer with a copy. A buffer that the area has is used again. */
spmv_status spmv_opencl_area_take(spmv_opencl_state *state, const char *what,
                                  const void *data, size_t bytes, spmv_area *area,
                                  spmv_error *err);

/* ---- shared memory ------------------------------------------------------------------------- */

/* The most capable kind of sharing that the device offers. */
spmv_opencl_sharing spmv_opencl_offered(const spmv_opencl_state *state);

/* Whether plans of the module put their arrays into shared memory: by SPMV_MEMORY, else by the
 * target's page. */
int spmv_opencl_shares(const spmv_opencl_state *state, const spmv_module *module);

/* Allocates shared memory. *out == NULL with SPMV_OK: nothing is shared, or all memory is. */
spmv_status spmv_opencl_shared_alloc(void *opened, size_t bytes, void **out);

/* Returns 0 for memory that spmv_opencl_shared_alloc did not allocate. */
int spmv_opencl_shared_free(void *opened, void *memory);

/* From libspmv (turns.c) or the bundle: a zeroed entry of the device's registry, for an allocation
 * of SVM. NULL: no memory. begin gives the host its first turn; 0: that failed. */
spmv_allocation *spmv_opencl_turns_create(void);
int spmv_opencl_turns_begin(spmv_opencl_state *state, const spmv_allocation *shared);
void spmv_opencl_turns_destroy(spmv_allocation *shared);

/* Whether all of the area is shared. */
int spmv_opencl_is_shared(spmv_opencl_state *state, const void *memory, size_t bytes);

#endif
