/* opencl/memory.h: memory that kernels reach: buffers of the device, and what host and device share.
 *
 * How they share is the device's word (OpenCL 2.0, 3.3.3, "shared virtual memory"), or that of
 * SPMV_MEMORY:
 *
 *     separate   nothing: contents are copied
 *     coarse     what ocl_shared_alloc gives, in turns: lent to the device while an execute uses it
 *     fine       the same memory, at any time: what a kernel wrote is there once it has ended
 *     system     all of the host's memory, likewise
 */
#ifndef SPMV_OPENCL_MEMORY_H
#define SPMV_OPENCL_MEMORY_H

#include "runtime/device/opencl/api.h"
#include "runtime/device/allocation_registry.h"

#include <pthread.h>

typedef enum ocl_sharing { OCL_SEPARATE, OCL_COARSE, OCL_FINE, OCL_SYSTEM } ocl_sharing;

struct ocl_state;

/* An allocation that is shared. */
typedef struct ocl_shared {
    spmv_shared area;            /* first: an entry of the device's list */
    pthread_mutex_t moves;       /* of coarse sharing: somebody has it change hands, or looks at: */
    int32_t users;               /* executes that it is lent to */
    int is_away;                 /* the host may not use it */
} ocl_shared;

/* What an argument of a kernel points to: one of the two, or neither. */
typedef struct ocl_area {
    ocl_memory buffer;
    void *shared;
} ocl_area;

/* ---- buffers ------------------------------------------------------------------------------- */

/* Makes a buffer of the size; none for no bytes. `what` names it in errors. */
spmv_status ocl_buffer_make(const struct ocl_state *state, const char *what, size_t bytes,
                            ocl_memory *buffer, spmv_error *err);
void ocl_buffer_free(const struct ocl_state *state, ocl_memory *buffer);

/* What the device sees of an array of the host that a plan keeps: the array itself where they share
 * it, else a buffer with its contents, made unless the area has one. */
spmv_status ocl_area_take(struct ocl_state *state, const char *what, const void *data, size_t bytes,
                          ocl_area *area, spmv_error *err);

/* ---- shared memory ------------------------------------------------------------------------- */

/* What the device can, or what the environment asks for. */
spmv_status ocl_sharing_choose(struct ocl_state *state, spmv_error *err);

/* Whether what plans of the module keep is to be in shared memory: where the target's page says that
 * the device shares it, or the environment does. */
int ocl_shares(const struct ocl_state *state, const spmv_module *module);

/* Memory for both. NULL with SPMV_OK: they share nothing. */
spmv_status ocl_shared_alloc(struct ocl_state *state, size_t bytes, void **out);

/* Returns 0 for memory that is not of ocl_shared_alloc. */
int ocl_shared_free(struct ocl_state *state, void *memory);

/* Whether all of it is shared. */
int ocl_is_shared(struct ocl_state *state, const void *memory, size_t bytes);

/* Whether both lie in one allocation. */
int ocl_shared_is_same(struct ocl_state *state, const void *a, const void *b);

/* The device is about to use shared memory, on this queue; and has ended to. Coarse sharing alone
 * has something to do then. */
ocl_int ocl_shared_lend(struct ocl_state *state, ocl_queue queue, const void *memory);
ocl_int ocl_shared_return(struct ocl_state *state, ocl_queue queue, const void *memory);

#endif
