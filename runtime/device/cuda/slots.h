/* cuda/slots.h: the slot of an enqueue: memory for its workspace, which no other multiplication
 * uses meanwhile.
 *
 *     kind       used by                              next use comes after this one by
 *     pooled     an enqueue in any stream             the event `done`
 *     in order   enqueues in the device's stream      the stream's order
 *     captured   enqueues of one capture in one       the order in the graph, which keeps the
 *                stream                               slot until it is destroyed
 *
 * A plan has one slot in order, a limited number of pooled ones, and makes captured ones as needed.
 * Any thread may call these functions at any time, with the device's context current. */
#ifndef SPMV_CUDA_SLOTS_H
#define SPMV_CUDA_SLOTS_H

#include "runtime/device/cuda/run.h"

/* Takes a slot, in run->base.slot and run->kind. The error text is in run->base.err.
 * has_host_steps: the multiplication does not only consist of kernels. */
spmv_status spmv_cuda_slots_take(spmv_cuda_run *run, int has_host_steps, int is_captured);
void spmv_cuda_slots_leave(spmv_cuda_run *run);

/* Frees the slots in order and of captures. */
void spmv_cuda_slots_clear(spmv_cuda_plan *p);

/* Forget what the driver made, after its context has been destroyed: of one slot; of the slots in
 * order and of captures. */
void spmv_cuda_slot_forget(spmv_cuda_slot *slot);
void spmv_cuda_slots_forget(spmv_cuda_plan *p);

#endif
