/* cuda/plan.h: what a plan is made of on a CUDA device, and one execute's share of it. */
#ifndef SPMV_CUDA_PLAN_H
#define SPMV_CUDA_PLAN_H

#include "runtime/device/arguments.h"
#include "runtime/device/cuda/backend.h"
#include "runtime/device/slot_pool.h"

/* What one execute has for itself. Made when it is first needed; until then all is NULL. */
typedef struct spmv_cuda_slot {
    int is_made;
    int is_pending;              /* an enqueue's commands may run yet: `done` comes behind them */
    spmv_cuda_event done;
    spmv_cuda_pointer x, y;      /* copies of vectors that the device does not see */
    spmv_cuda_area part[SPMV_MAX_PARTS];
    void *workspace;             /* what host steps see of the parts: the parts themselves, or a
                                    copy; NULL where there is no host step */
    int is_shared;               /* workspace is the parts themselves */
    void *host_y;                /* for host steps, where y is the device's */
} spmv_cuda_slot;

typedef struct spmv_cuda_plan {
    spmv_cuda_state *state;
    const spmv_plan *plan;
    int shares;                  /* parts are in managed memory, where host steps use them */
    spmv_cuda_module program;
    spmv_cuda_function kernel[SPMV_MAX_KERNELS];
    spmv_cuda_area csr[SPMV_CSR_ARRAYS];
    spmv_cuda_area array[SPMV_MAX_ARRAYS];
    spmv_bindings bindings;
    spmv_cuda_slot slot[SPMV_SLOTS];
    _Atomic int has_graphs;      /* an enqueue was captured: what kernels read stays where it is */
    spmv_slot_pool slots;        /* at the slots: while an execute or enqueue is within libspmv, and
                                    for good once a graph has captured one */
} spmv_cuda_plan;

/* ---- slots: cuda/slot.c; the context is current ---------------------------------------------- */

/* A slot for one multiplication in this stream. NULL: *status says why, and *err, which may be
 * NULL. */
spmv_cuda_slot *spmv_cuda_slot_take(spmv_cuda_plan *p, spmv_slot_kind kind, spmv_cuda_stream stream,
                                    spmv_status *status, spmv_error *err);
void spmv_cuda_slot_give_back(spmv_cuda_plan *p, const spmv_cuda_slot *slot);

/* Makes the slot complete but for x, y and host_y. On error what was made stays for
 * spmv_cuda_slot_free. */
spmv_status spmv_cuda_slot_make(spmv_cuda_plan *p, spmv_cuda_slot *slot, spmv_error *err);
void spmv_cuda_slot_free(spmv_cuda_plan *p, spmv_cuda_slot *slot);

#endif
