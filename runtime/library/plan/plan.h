/* plan.h: the struct of a plan of libspmv.
 *
 * A plan is constant once created, with two exceptions: an update of its values changes its core,
 * and what is prepared from that, and must not run concurrently with other calls on the plan;
 * executes write into `scratch`, one at a time.
 */
#ifndef SPMV_PLAN_H
#define SPMV_PLAN_H

#include "runtime/base/atomic.h"
#include "runtime/core/candidates.h"
#include "runtime/core/plan.h"
#include "runtime/device/backend.h"
#include "runtime/library/matrix/structure.h"
#include "runtime/library/matrix/transpose.h"
#include "runtime/library/matrix/widen.h"
#include "runtime/library/plan/prepared.h"
#include "runtime/library/plan/shares.h"

/* What multiplications write: the lock of the plan's own workspace, which serves one execute at a
 * time, and what the first of them show about threads. */
typedef struct spmv_scratch {
    spmv_atomic busy;            /* a lock of the process */
    spmv_atomic team_size;       /* threads of a multiplication; 0 or less: not known yet */
    spmv_atomic timed_runs;      /* multiplications that were timed */
    spmv_atomic alone, shared;   /* nanoseconds of the fastest one on one thread, on several */
    spmv_shares *shares;         /* NULL: all parts have equally many chunks */
    void *columns_memory;        /* of spmv_execute_columns; grows with the number of columns */
    size_t columns_bytes;
} spmv_scratch;

struct spmv_plan {
    spmv_core core;              /* first, since the core hands out pointers to it */
    spmv_scratch *scratch;
    char reason[320];
    spmv_candidates candidates;  /* the methods that the choice considered */
    const spmv_device *device;
    const spmv_backend *backend; /* the backend that runs the module's program; NULL: the module
                                    runs on the CPU */
    void *backend_state;         /* the plan's state on the device */
    struct spmv_conversions *making;     /* until the plan is made; the creating call's */
    spmv_widened *widened;       /* the matrix with values of the vectors' type; NULL: the caller's
                                    values have it */
    spmv_transpose *transposed;  /* with options.transposed, and from a triangle: the matrix that
                                    the layout is of */
    int32_t symmetric;           /* options.symmetric */
    int32_t savable;             /* options.savable */
    spmv_prepared prepared;
    spmv_structure structure;    /* of the matrix, if the plan may be saved */
    double started;              /* spmv_seconds_now() of spmv_plan_begin */
    double layout_seconds;       /* of building the layout, after the choice */
    double build_seconds;        /* from spmv_plan_begin to spmv_plan_end */
    spmv_step_time build_step[SPMV_MAX_STEPS];
    int32_t build_steps;         /* that ran */
};

/* The plan of a core. */
static inline spmv_plan *spmv_plan_of_core(const spmv_core *core)
{
    return (spmv_plan *)(uintptr_t)core;
}

/* The type of the values that the caller gives and gets. */
static inline spmv_value_type spmv_plan_stored_type(const spmv_plan *plan)
{
    return plan->widened != NULL ? plan->widened->types.stored : plan->core.layout.csr.value_type;
}

#endif
