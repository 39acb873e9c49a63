/* opencl/plan.h: what a plan is made of on an OpenCL device, and one execute's share of it. */
#ifndef SPMV_OPENCL_PLAN_H
#define SPMV_OPENCL_PLAN_H

#include "runtime/device/arguments.h"
#include "runtime/device/opencl/backend.h"
#include "runtime/device/slot_pool.h"

/* What one execute has for itself. Made when it is first needed; until then all is
 * NULL. */
typedef struct spmv_opencl_slot {
    spmv_opencl_event last;      /* its last command, where that may not have ended yet */
    spmv_opencl_kernel kernel[SPMV_MAX_KERNELS];
    spmv_opencl_memory x, y;     /* copies of vectors that the device does not see */
    spmv_opencl_area part[SPMV_MAX_PARTS];
    void *workspace;             /* what host steps see of the parts: the parts themselves, or a
                                    copy; NULL where there is no host step */
    int is_shared;               /* workspace is the parts themselves */
    int is_home;                 /* likewise: the host has it, during a host step or after an
                                    error */
    void *host_y;                /* for host steps, where y is a buffer of the caller's */
} spmv_opencl_slot;

typedef struct spmv_opencl_plan {
    spmv_opencl_state *state;
    const spmv_plan *plan;
    int shares;                  /* parts are in shared memory, where host steps use them */
    spmv_opencl_program program;
    spmv_opencl_area csr[SPMV_CSR_ARRAYS];
    spmv_opencl_area array[SPMV_MAX_ARRAYS];
    spmv_bindings bindings;
    spmv_opencl_slot slot[SPMV_SLOTS];
    spmv_slot_pool slots;        /* at the slots: while an execute or enqueue is within libspmv */
} spmv_opencl_plan;

/* ---- slots: opencl/slot.c ------------------------------------------------------------------ */

/* A slot for one execute, the plan's own or, for this queue, another. NULL: *status says why, and
 * *err, which may be NULL. */
spmv_opencl_slot *spmv_opencl_slot_take(spmv_opencl_plan *p, int is_own, spmv_opencl_queue queue,
                                        spmv_status *status, spmv_error *err);
void spmv_opencl_slot_give_back(spmv_opencl_plan *p, const spmv_opencl_slot *slot);

/* Makes the slot complete but for x, y and host_y. */
spmv_status spmv_opencl_slot_make(spmv_opencl_plan *p, spmv_opencl_slot *slot, spmv_error *err);
void spmv_opencl_slot_free(spmv_opencl_plan *p, spmv_opencl_slot *slot);

#endif
