/* cuda/memory.h: memory of kernels: buffers of the device, and memory that host and device share,
 * which CUDA calls managed memory.
 *
 * The device decides the kind of sharing, unless SPMV_MEMORY does ("separate", or "unified" for
 * either of the other two). Shared is:
 *
 *     separate      no memory: contents are copied
 *     in turns      managed memory, which the host must not touch while any kernel of the device
 *                   runs (Tegra; Maxwell and older). Executes take turns and use vectors in place;
 *                   a layout, which is built while others execute, is copied
 *     at any time   managed memory: the host sees a kernel's results once the kernel has ended
 */
#ifndef SPMV_CUDA_MEMORY_H
#define SPMV_CUDA_MEMORY_H

#include "runtime/device/cuda/state.h"
#include "runtime/device/device_plan.h"

/* The device's context must be current for the calls below, except for spmv_cuda_sharing_choose,
 * which needs none, and spmv_cuda_shared_..., which make it current. */

/* In functions of spmv_device_ops `opened` is the spmv_cuda_state. */

/* ---- buffers ------------------------------------------------------------------------------- */

/* Allocates a buffer; `what` names it in errors. For 0 bytes *buffer is NULL. */
spmv_status spmv_cuda_buffer_make(void *opened, const char *what, size_t bytes, void **buffer,
                                  spmv_error *err);
void spmv_cuda_buffer_free(void *opened, void **buffer);

/* Makes an array of the host visible to the device for the lifetime of a plan: the array itself if
 * it is shared at any time, else a buffer with a copy. A buffer that the area has is used again.
 * The copy runs in the device's stream. must_stay: captured graphs hold the area's address;
 * SPMV_UNSUPPORTED if that is an array of the caller other than `data`. */
spmv_status spmv_cuda_area_take(spmv_cuda_state *state, const char *what, const void *data,
                                size_t bytes, int must_stay, spmv_area *area, spmv_error *err);

/* ---- pointers of callers ------------------------------------------------------------------- */

typedef enum spmv_cuda_place { CU_OF_HOST, CU_ON_DEVICE, CU_MANAGED } spmv_cuda_place;

typedef struct spmv_cuda_found {
    spmv_cuda_place place;
    size_t room;                 /* bytes to the end of the memory; the search stops at the number
                                    that the caller needs. SIZE_MAX: unknown */
    int is_foreign;              /* memory of another context */
} spmv_cuda_found;

/* Finds whose memory a pointer points to, and how many bytes follow. is_devices: device memory is
 * expected, which decides if host and device have separate address spaces (32-bit hosts). */
spmv_cuda_result spmv_cuda_look(spmv_cuda_state *state, const void *pointer, size_t bytes,
                                int is_devices, spmv_cuda_found *found);

/* ---- shared memory ------------------------------------------------------------------------- */

/* Sets the kind of sharing, by the device's attributes or SPMV_MEMORY. */
spmv_status spmv_cuda_sharing_choose(spmv_cuda_state *state, spmv_error *err);

/* Whether plans of the module, or callers (NULL), get shared memory: by SPMV_MEMORY, else by the
 * target's page or, for callers, by the device. */
int spmv_cuda_shares(const spmv_cuda_state *state, const spmv_module *module);

/* Allocates managed memory. */
spmv_status spmv_cuda_shared_alloc(void *opened, size_t bytes, void **out);

/* Returns 0 for memory that spmv_cuda_shared_alloc did not allocate. */
int spmv_cuda_shared_free(void *opened, void *memory);

#endif
