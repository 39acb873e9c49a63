/* cuda/run.h: a running multiplication on a CUDA device.
 *
 * A stream runs commands in order. The device's context must be current. */
#ifndef SPMV_CUDA_RUN_H
#define SPMV_CUDA_RUN_H

#include "runtime/device/cuda/context.h"
#include "runtime/device/cuda/memory.h"
#include "runtime/device/cuda/plan.h"
#include "runtime/device/run.h"

/* See cuda/slots.h. */
typedef enum spmv_cuda_slot_kind { CU_POOLED, CU_IN_ORDER, CU_CAPTURED } spmv_cuda_slot_kind;

typedef struct spmv_cuda_run {
    spmv_run base;
    spmv_cuda_stream stream;
    int x_is_copy, y_is_copy;    /* the vector is the host's, and kernels get a copy in the slot */
    spmv_cuda_event start, stop; /* of a kernel, in a profile */
    spmv_cuda_scope scope;       /* of an enqueue */
    spmv_cuda_slot_kind kind;    /* of the slot of an enqueue */
    int is_follower;             /* the slot is that of an earlier enqueue of the same capture */
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

/* Waits until all commands have ended and the host may use shared memory. */
void spmv_cuda_run_wait(spmv_run *r);
void spmv_cuda_run_launch(spmv_run *r, int32_t kernel, const spmv_step *step);

/* ---- of the backend ------------------------------------------------------------------------ */

/* Enters the context and, if host and kernels use memory in turns, locks out other runs; leaves the
 * context and unlocks. spmv_cuda_run_leave must follow, also after an error. */
spmv_status spmv_cuda_run_enter(const spmv_run *r, spmv_cuda_scope *scope);
spmv_status spmv_cuda_run_enter_lightly(spmv_cuda_run *run);  /* spmv_cuda_enter_lightly */
void spmv_cuda_run_leave(const spmv_run *r, const spmv_cuda_scope *scope);

/* Takes a slot for the run. The error text is in r->err. */
spmv_status spmv_cuda_run_take_slot(spmv_cuda_run *r, spmv_slot_kind kind);

/* Keeps the code of a call if it is the first that failed. */
void spmv_cuda_run_check(spmv_run *r, spmv_cuda_result code);

/* Whether kernels can use the caller's vector in place: it is in device memory or managed memory.
 * If that memory is too short or of another context, r->status becomes SPMV_INVALID_ARGUMENT. */
int spmv_cuda_run_take_vector(spmv_run *r, const char *name, const spmv_cuda_found *found,
                              size_t bytes);

/* The area of a vector that is used in place. */
spmv_area spmv_cuda_run_area_of(const spmv_run *r, const void *vector, spmv_cuda_place place);

/* The status of the run, with its text in r->err. */
spmv_status spmv_cuda_run_status(const spmv_run *r);

/* Reports the status of a call to SPMV_DEBUG and to the caller's err, which may be NULL, and
 * returns it. `where` begins the text of a status that has none yet. */
spmv_status spmv_cuda_run_report(const char *where, spmv_status status, const spmv_error *found,
                                 spmv_error *err);

#endif
