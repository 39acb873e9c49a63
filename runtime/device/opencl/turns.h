/* opencl/turns.h: memory that the device and the host use in turns, from libspmv (turns.c) or from
 * a bundle. */
#ifndef SPMV_OPENCL_TURNS_H
#define SPMV_OPENCL_TURNS_H

#include "runtime/device/device_plan.h"
#include "runtime/device/opencl/state.h"

/* Sets the kind of sharing, by the device's facts or SPMV_MEMORY. */
spmv_status spmv_opencl_sharing_choose(spmv_opencl_state *state, spmv_error *err);

/* Lends a new slot's shared workspace to the device, as spmv_device_ops.slot_lend. */
spmv_status spmv_opencl_slot_lend(spmv_device_plan *p, spmv_slot *slot, spmv_error *err);

/* ---- of libspmv alone ---------------------------------------------------------------------- */

/* Whether both lie in one allocation. */
int spmv_opencl_shared_is_same(spmv_opencl_state *state, const void *a, const void *b);

/* Lends shared memory to the device before commands of this queue use it, and returns it to the
 * host after they have ended. Does nothing unless sharing is coarse. */
spmv_opencl_int spmv_opencl_shared_lend(spmv_opencl_state *state, spmv_opencl_queue queue,
                                        const void *memory);
spmv_opencl_int spmv_opencl_shared_return(spmv_opencl_state *state, spmv_opencl_queue queue,
                                          const void *memory);

#endif
