/* cuda/memory.h: memory that kernels reach: buffers of the device, and what host and device share,
 * which CUDA calls managed memory.
 *
 * How they share is the device's word, or that of SPMV_MEMORY ("separate", or "unified" for either of
 * the other two):
 *
 *     separate      nothing: contents are copied
 *     in turns      managed memory, which the host must not touch while any kernel of the device runs
 *                   (Tegra; Maxwell and older): executes take turns, vectors are used in place, and a
 *                   layout, which plans build while others execute, is copied
 *     at any time   managed memory: what a kernel wrote is there once it has ended
 */
#ifndef SPMV_CUDA_MEMORY_H
#define SPMV_CUDA_MEMORY_H

#include "runtime/device/cuda/api.h"
#include "runtime/device/allocation_registry.h"

typedef enum cu_sharing { CU_SEPARATE, CU_IN_TURNS, CU_AT_ANY_TIME } cu_sharing;

struct cu_state;

/* What an argument of a kernel points to. */
typedef struct cu_area {
    cu_pointer at;               /* 0: nothing */
    cu_pointer own;              /* the buffer to be freed, 0 where the memory is another's */
} cu_area;

/* All of these but the choice expect the device's context to be current; cu_shared_... make it so. */

/* ---- buffers ------------------------------------------------------------------------------- */

/* Makes a buffer of the size; none for no bytes. `what` names it in errors. */
spmv_status cu_buffer_make(const struct cu_state *state, const char *what, size_t bytes,
                           cu_pointer *buffer, spmv_error *err);
void cu_buffer_free(const struct cu_state *state, cu_pointer *buffer);

/* What the device sees of an array of the host that a plan keeps: the array itself where they share
 * it at any time, else a buffer with its contents, made unless the area has one. The copy may go on
 * in the device's stream. must_stay: graphs read an area that there is, where it is; SPMV_UNSUPPORTED
 * where that would be an array that the caller no longer gives. */
spmv_status cu_area_take(struct cu_state *state, const char *what, const void *data, size_t bytes,
                         int must_stay, cu_area *area, spmv_error *err);
void cu_area_free(const struct cu_state *state, cu_area *area);

/* ---- pointers of callers ------------------------------------------------------------------- */

typedef enum cu_place { CU_OF_HOST, CU_ON_DEVICE, CU_MANAGED } cu_place;

typedef struct cu_found {
    cu_place place;
    size_t room;                 /* bytes up to its end, or at least as many as were asked for;
                                    SIZE_MAX: unknown */
    int is_foreign;              /* memory of another context */
} cu_found;

/* Whose memory a pointer is of, and whether so many bytes are. Where that cannot be told of
 * pointers (32-bit hosts), is_devices says that it should be the device's. */
cu_result cu_look(struct cu_state *state, const void *pointer, size_t bytes, int is_devices,
                  cu_found *found);

/* ---- shared memory ------------------------------------------------------------------------- */

/* What the device can, or what the environment asks for. */
spmv_status cu_sharing_choose(struct cu_state *state, spmv_error *err);

/* Whether what plans of the module keep, or what callers ask for (NULL), is to be in shared memory:
 * where the target's page says that the device shares it, or the device, or the environment. */
int cu_shares(const struct cu_state *state, const spmv_module *module);

/* Managed memory. */
spmv_status cu_shared_alloc(struct cu_state *state, size_t bytes, void **out);

/* Returns 0 for memory that is not of cu_shared_alloc. */
int cu_shared_free(struct cu_state *state, void *memory);

#endif
