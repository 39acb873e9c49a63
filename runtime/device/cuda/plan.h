/* cuda/plan.h: what a plan is made of on a CUDA device, and one execute's share of it. */
#ifndef SPMV_CUDA_PLAN_H
#define SPMV_CUDA_PLAN_H

#include "runtime/device/arguments.h"
#include "runtime/device/cuda/backend.h"
#include "runtime/device/slot_pool.h"

/* What one execute has for itself. Made when it is first needed; until then all is NULL. */
typedef struct cu_lane {
    int is_made;
    int is_pending;              /* an enqueue's commands may run yet: `done` comes behind them */
    cu_event done;
    cu_pointer x, y;             /* copies of vectors that the device does not see */
    cu_area part[SPMV_MAX_PARTS];
    void *workspace;             /* what host steps see of the parts: the parts themselves, or a copy;
                                    NULL where there is no host step */
    int is_shared;               /* workspace is the parts themselves */
    void *host_y;                /* for host steps, where y is the device's */
} cu_lane;

typedef struct cu_plan {
    cu_state *state;
    const spmv_plan *plan;
    int shares;                  /* parts are in managed memory, where host steps use them */
    cu_module program;
    cu_function kernel[SPMV_MAX_KERNELS];
    cu_area csr[SPMV_CSR_ARRAYS];
    cu_area array[SPMV_MAX_ARRAYS];
    spmv_bindings bindings;
    cu_lane lane[SPMV_LANES];
    _Atomic int has_graphs;      /* an enqueue was captured: what kernels read stays where it is */
    spmv_turns turns;            /* at the lanes: while an execute or enqueue is within libspmv, and for
                                    good once a graph has captured one */
} cu_plan;

/* ---- lanes: cuda/slot.c; the context is current ---------------------------------------------- */

/* A lane for one multiplication in this stream. NULL: *status says why, and *err, which may be NULL. */
cu_lane *cu_lane_take(cu_plan *p, spmv_turn_kind kind, cu_stream stream, spmv_status *status,
                      spmv_error *err);
void cu_lane_give_back(cu_plan *p, const cu_lane *lane);

/* Makes the lane complete but for x, y and host_y. On error what was made stays for cu_lane_free. */
spmv_status cu_lane_make(cu_plan *p, cu_lane *lane, spmv_error *err);
void cu_lane_free(cu_plan *p, cu_lane *lane);

#endif
