/* opencl/memory.h: memory that kernels reach: buffers of the device, and what host and device
 * share.
 *
 * How they share is the device's word (OpenCL 2.0, 3.3.3, "shared virtual memory"), or that of
 * SPMV_MEMORY:
 *
 *     separate   nothing: contents are copied
 *     coarse     what spmv_opencl_shared_alloc gives, in turns: lent to the device while an execute uses it
 *     fine       the same memory, at any time: what a kernel wrote is there once it has ended
 *     system     all of the host's memory, likewise
 */
#ifndef SPMV_OPENCL_MEMORY_H
#define SPMV_OPENCL_MEMORY_H

#include "runtime/device/opencl/api.h"
#include "runtime/device/allocation_registry.h"

#include <pthread.h>

typedef enum spmv_opencl_sharing {
    OCL_SEPARATE,
    OCL_COARSE,
    OCL_FINE,
    OCL_SYSTEM
} spmv_opencl_sharing;

struct spmv_opencl_state;

/* An allocation that is shared. */
typedef struct spmv_opencl_shared {
    spmv_allocation area;        /* first: an entry of the device's list */
    pthread_mutex_t moves;       /* of coarse sharing: somebody has it change hands, or looks at: */
    int32_t users;               /* executes that it is lent to */
    int is_away;                 /* the host may not use it */
} spmv_opencl_shared;

/* What an argument of a kernel points to: one of the two, or neither. */
typedef struct spmv_opencl_area {
    spmv_opencl_memory buffer;
    void *shared;
} spmv_opencl_area;

/* ---- buffers ------------------------------------------------------------------------------- */

/* Makes a buffer of the size; none for no bytes. `what` names it in errors. */
spmv_status spmv_opencl_buffer_make(const struct spmv_opencl_state *state, const char *what,
                                    size_t bytes, spmv_opencl_memory *buffer, spmv_error *err);
void spmv_opencl_buffer_free(const struct spmv_opencl_state *state, spmv_opencl_memory *buffer);

/* What the device sees of an array of the host that a plan keeps: the array itself where they share
 * it, else a buffer with its contents, made unless the area has one. */
spmv_status spmv_opencl_area_take(struct spmv_opencl_state *state, const char *what,
                                  const void *data, size_t bytes, spmv_opencl_area *area,
                                  spmv_error *err);

/* ---- shared memory ------------------------------------------------------------------------- */

/* What the device can, or what the environment asks for. */
spmv_status spmv_opencl_sharing_choose(struct spmv_opencl_state *state, spmv_error *err);

/* Whether what plans of the module keep is to be in shared memory: where the target's page says
 * that the device shares it, or the environment does. */
int spmv_opencl_shares(const struct spmv_opencl_state *state, const spmv_module *module);

/* Memory for both. NULL with SPMV_OK: they share nothing. */
spmv_status spmv_opencl_shared_alloc(struct spmv_opencl_state *state, size_t bytes, void **out);

/* Returns 0 for memory that is not of spmv_opencl_shared_alloc. */
int spmv_opencl_shared_free(struct spmv_opencl_state *state, void *memory);

/* Whether all of it is shared. */
int spmv_opencl_is_shared(struct spmv_opencl_state *state, const void *memory, size_t bytes);

/* Whether both lie in one allocation. */
int spmv_opencl_shared_is_same(struct spmv_opencl_state *state, const void *a, const void *b);

/* The device is about to use shared memory, on this queue; and has ended to. Coarse sharing alone
 * has something to do then. */
spmv_opencl_int spmv_opencl_shared_lend(struct spmv_opencl_state *state, spmv_opencl_queue queue,
                                        const void *memory);
spmv_opencl_int spmv_opencl_shared_return(struct spmv_opencl_state *state, spmv_opencl_queue queue,
                                          const void *memory);

#endif
