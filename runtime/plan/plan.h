/* plan.h: what a plan is made of.
 *
 * Constant once created, but for csr.val and the layout's values (spmv_plan_update_values, which
 * may not run beside anything else of the plan) and the `scratch` that executes take turns at.
 */
#ifndef SPMV_PLAN_H
#define SPMV_PLAN_H

#include "runtime/device/backend.h"
#include "runtime/plan/candidates.h"
#include "runtime/plan/choice.h"
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

/* What creating and loading a plan begin with: checks the arguments and the matrix, writes the
 * options as this library knows them, and gives a plan with nothing in it but `threads`. Error
 * texts have no prefix yet. */
spmv_status spmv_plan_begin(const spmv_device *device, const spmv_csr *csr,
                            const spmv_plan_options *options, spmv_plan_options *known,
                            spmv_plan **out, spmv_error *err);

/* Gives the device what a finished layout needs there, if the module has a program. */
spmv_status spmv_plan_to_device(const spmv_device *device, spmv_plan *plan, spmv_error *err);

/* Chooses a module and fills a plan that spmv_plan_begin gave. On error what was allocated stays for
 * spmv_plan_destroy. */
spmv_status spmv_plan_build(const spmv_device *device, const spmv_request *request,
                            const spmv_plan_options *known, spmv_plan *plan, spmv_error *err);

/* Puts the values of layout.csr into the layout. */
spmv_status spmv_plan_take_values(const spmv_plan *plan, spmv_error *err);

/* What they end with, whatever `status` they reached: destroys a plan that was not finished. */
spmv_status spmv_plan_end(const spmv_device *device, spmv_plan **out, spmv_status status);

#endif
