/* cuda/run.h: a multiplication on a CUDA device, while it runs.
 *
 * A stream keeps its order, so that each command waits for the one before it. The device's context
 * is current. */
#ifndef SPMV_CUDA_RUN_H
#define SPMV_CUDA_RUN_H

#include "runtime/device/cuda/context.h"
#include "runtime/device/cuda/memory.h"
#include "runtime/device/cuda/plan.h"
#include "runtime/device/run.h"

typedef struct spmv_cuda_run {
    spmv_run base;
    spmv_cuda_stream stream;
    int x_is_copy, y_is_copy;    /* these are the slot's, the vectors the host's */
    spmv_cuda_event start, stop; /* of a kernel, in a profile */
} spmv_cuda_run;

static inline spmv_cuda_state *spmv_cuda_state_of(const spmv_run *r)
{
    return (spmv_cuda_state *)r->p->state;
}

static inline spmv_cuda_slot *spmv_cuda_slot_of(const spmv_run *r)
{
    return (spmv_cuda_slot *)r->slot;
}

/* ---- of spmv_device_ops -------------------------------------------------------------------- */

void spmv_cuda_run_write(spmv_run *r, void *buffer, const void *data, size_t bytes);
void spmv_cuda_run_read(spmv_run *r, void *data, void *buffer, size_t bytes);

/* Waits until the host may use what it shares with the device, too. */
void spmv_cuda_run_wait(spmv_run *r);
void spmv_cuda_run_launch(spmv_run *r, int32_t kernel, const spmv_step *step);

/* ---- the rest ------------------------------------------------------------------------------ */

/* Enters the context and, where host and kernels take turns at memory, takes the device's turn; and
 * the way back. Leave whatever enter returns. */
spmv_status spmv_cuda_run_enter(const spmv_run *r, spmv_cuda_scope *scope);
void spmv_cuda_run_leave(const spmv_run *r, const spmv_cuda_scope *scope);

/* Takes a slot for the run. On error the text is in r->err. */
spmv_status spmv_cuda_run_take_slot(spmv_cuda_run *r, spmv_slot_kind kind);

/* Keeps the code of a call, if it is the first that failed. */
void spmv_cuda_run_check(spmv_run *r, spmv_cuda_result code);

/* Whether kernels get the caller's vector as it is: memory of the device, or managed; and whether
 * they can: SPMV_INVALID_ARGUMENT in r->status otherwise. */
int spmv_cuda_run_take_vector(spmv_run *r, const char *name, const spmv_cuda_found *found,
                              size_t bytes);

/* The area of such a vector. */
spmv_area spmv_cuda_run_area_of(const spmv_run *r, const void *vector, spmv_cuda_place place);

/* What came of it, in words in r->err too. */
spmv_status spmv_cuda_run_status(const spmv_run *r);

/* What a call returns: SPMV_DEBUG and the caller's error, if it has one, get the words. `where`
 * opens them where there are none yet. */
spmv_status spmv_cuda_run_tell(const char *where, spmv_status status, const spmv_error *found,
                               spmv_error *err);

#endif
