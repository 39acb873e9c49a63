/* cuda/memory.h: memory that kernels reach: buffers of the device, and what host and device share,
 * which CUDA calls managed memory.
 *
 * How they share is the device's word, or that of SPMV_MEMORY ("separate", or "unified" for either
 * of the other two):
 *
 *     separate      nothing: contents are copied
 *     in turns      managed memory, which the host must not touch while any kernel of the device runs
 *                   (Tegra; Maxwell and older): executes take turns, vectors are used in place, and a
 *                   layout, which plans build while others execute, is copied
 *     at any time   managed memory: what a kernel wrote is there once it has ended
 */
#ifndef SPMV_CUDA_MEMORY_H
#define SPMV_CUDA_MEMORY_H

#include "runtime/device/cuda/state.h"
#include "runtime/device/device_plan.h"

/* All of these but the choice expect the device's context to be current; spmv_cuda_shared_... make
 * it so. */

/* `opened` is the spmv_cuda_state in functions of spmv_device_ops. */

/* ---- buffers ------------------------------------------------------------------------------- */

/* Makes a buffer of the size; none for no bytes. `what` names it in errors. */
spmv_status spmv_cuda_buffer_make(void *opened, const char *what, size_t bytes, void **buffer,
                                  spmv_error *err);
void spmv_cuda_buffer_free(void *opened, void **buffer);

/* What the device sees of an array of the host that a plan keeps: the array itself where they share
 * it at any time, else a buffer with its contents, made unless the area has one. The copy may go on
 * in the device's stream. must_stay: graphs read an area that there is, where it is;
 * SPMV_UNSUPPORTED where that would be an array that the caller no longer gives. */
spmv_status spmv_cuda_area_take(spmv_cuda_state *state, const char *what, const void *data,
                                size_t bytes, int must_stay, spmv_area *area, spmv_error *err);

/* ---- pointers of callers ------------------------------------------------------------------- */

typedef enum spmv_cuda_place { CU_OF_HOST, CU_ON_DEVICE, CU_MANAGED } spmv_cuda_place;

typedef struct spmv_cuda_found {
    spmv_cuda_place place;
    size_t room;                 /* bytes up to its end, or at least as many as were asked for;
                                    SIZE_MAX: unknown */
    int is_foreign;              /* memory of another context */
} spmv_cuda_found;

/* Whose memory a pointer is of, and whether so many bytes are. Where that cannot be told of
 * pointers (32-bit hosts), is_devices says that it should be the device's. */
spmv_cuda_result spmv_cuda_look(spmv_cuda_state *state, const void *pointer, size_t bytes,
                                int is_devices, spmv_cuda_found *found);

/* ---- shared memory ------------------------------------------------------------------------- */

/* What the device can, or what the environment asks for. */
spmv_status spmv_cuda_sharing_choose(spmv_cuda_state *state, spmv_error *err);

/* Whether what plans of the module keep, or what callers ask for (NULL), is to be in shared memory:
 * where the target's page says that the device shares it, or the device, or the environment. */
int spmv_cuda_shares(const spmv_cuda_state *state, const spmv_module *module);

/* Managed memory. */
spmv_status spmv_cuda_shared_alloc(void *opened, size_t bytes, void **out);

/* Returns 0 for memory that is not of spmv_cuda_shared_alloc. */
int spmv_cuda_shared_free(void *opened, void *memory);

#endif
