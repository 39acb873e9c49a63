/* plan.h: what a plan is made of.
 *
 * Constant once created, but for csr.val and the layout's values (spmv_plan_update_values, which
 * may not run beside anything else of the plan) and the `scratch` that executes take turns at.
 */
#ifndef SPMV_PLAN_H
#define SPMV_PLAN_H

#include "runtime/device/backend.h"
#include "runtime/plan/candidates.h"
#include "runtime/module/layout.h"
#include "runtime/matrix/structure.h"
#include "runtime/threads/team.h"

#include <stdatomic.h>

/* The plan's own workspace, which serves one execute at a time. */
typedef struct spmv_scratch {
    atomic_flag busy;
    void *memory;
} spmv_scratch;

struct spmv_plan {
    const spmv_device *device;
    const spmv_module *module;
    const spmv_backend *backend; /* of the module's program; NULL: there is none */
    void *backend_state;         /* the plan's */
    spmv_layout layout;          /* owns its arrays. csr holds what the module borrows, the caller's
                                    or the copies below; its other pointers are NULL */
    void *copy[SPMV_CSR_ARRAYS]; /* with options.copy: own copies of what the module borrows */
    spmv_scratch *scratch;
    spmv_structure structure;    /* of the matrix, if the plan may be saved */
    spmv_threads threads;
    size_t layout_bytes;         /* of layout arrays and copies */
    double started;              /* spmv_seconds_now() of spmv_plan_begin */
    double layout_seconds;       /* of the layout alone, after the choice */
    double build_seconds;        /* of all, from the beginning to spmv_plan_end */
    char reason[320];
    spmv_candidates candidates;  /* what the module was chosen from */
};

#endif
