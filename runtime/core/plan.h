/* plan.h: the struct of a plan.
 *
 * A plan is constant once created, with two exceptions: an update of its values changes csr.val,
 * the layout's values and what is prepared from them, and must not run concurrently with other
 * calls on the plan; executes write into `scratch`, one at a time.
 */
#ifndef SPMV_PLAN_H
#define SPMV_PLAN_H

#include "runtime/base/atomic.h"
#include "runtime/core/candidates.h"
#include "runtime/core/layout.h"
#include "runtime/core/threads/team.h"

#if SPMV_BUNDLE
#include "runtime/bundle/options.h"
#endif
#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
#include "runtime/device/backend.h"
#endif
#if !SPMV_BUNDLE
#include "runtime/library/matrix/structure.h"
#include "runtime/library/matrix/transpose.h"
#include "runtime/library/matrix/widen.h"
#include "runtime/library/plan/prepared.h"
#include "runtime/library/plan/shares.h"
#endif

/* The caller's options. Their names are the same in libspmv and in bundles. */
#if SPMV_BUNDLE
typedef spmv_matrix_options spmv_options;
#else
typedef spmv_plan_options spmv_options;
#endif

#if !SPMV_BUNDLE_STATIC
/* What multiplications write: the plan's own workspace, which serves one execute at a time, and
 * what the first of them show about threads. */
typedef struct spmv_scratch {
#if !SPMV_BUNDLE
    spmv_atomic busy;            /* a lock of the process */
    spmv_atomic team_size;       /* threads of a multiplication; 0 or less: not known yet */
    spmv_atomic timed_runs;      /* multiplications that were timed */
    spmv_atomic alone, shared;   /* nanoseconds of the fastest one on one thread, on several */
    spmv_shares *shares;         /* NULL: all parts have equally many chunks */
#endif
    spmv_atomic_pointer memory;  /* in a bundle: NULL while a multiplication has it */
    void *columns_memory;        /* of spmv_execute_columns; grows with the number of columns */
    size_t columns_bytes;
} spmv_scratch;
#endif

struct spmv_plan {
    const spmv_module *module;
    spmv_layout layout;          /* the plan owns its arrays. csr points to the arrays that the
                                    module borrows, or to their copies below; its other pointers
                                    are NULL */
    void *copy[SPMV_CSR_ARRAYS]; /* with options.copy: copies of the arrays that the module
                                    borrows */
    spmv_threads threads;
    size_t layout_bytes;         /* of layout arrays and copies */
#if SPMV_BUNDLE_STATIC
    void *workspace;
#else
    spmv_scratch *scratch;
    char reason[320];
    spmv_candidates candidates;  /* the methods that the choice considered */
#endif
#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
    const spmv_device *device;
    const spmv_backend *backend; /* the backend that runs the module's program; NULL: the module
                                    runs on the CPU */
    void *backend_state;         /* the plan's state on the device */
#endif
#if !SPMV_BUNDLE
    spmv_widened *widened;       /* the matrix with values of the vectors' type; NULL: the caller's
                                    values have it */
    spmv_transpose *transposed;  /* with options.transposed, and from a triangle: the matrix that
                                    the layout is of */
    int32_t symmetric;           /* options.symmetric */
    spmv_prepared prepared;
    spmv_structure structure;    /* of the matrix, if the plan may be saved */
    double started;              /* spmv_seconds_now() of spmv_plan_begin */
    double layout_seconds;       /* of building the layout, after the choice */
    double build_seconds;        /* from spmv_plan_begin to spmv_plan_end */
    spmv_step_time build_step[SPMV_MAX_STEPS];
    int32_t build_steps;         /* that ran */
#endif
};

#endif
