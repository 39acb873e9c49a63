/* trial.h: building plans of other candidates than the cheapest. */
#ifndef SPMV_TRIAL_H
#define SPMV_TRIAL_H

#include "runtime/core/build.h"

/* Builds a plan of this candidate's module, without spmv_plan_end. On error spmv_plan_destroy frees
 * *out, which may be NULL. */
spmv_status spmv_trial_build(const spmv_device *device, const spmv_request *request,
                             const spmv_module *module, const spmv_options *known,
                             const spmv_threads *threads, spmv_plan **out, spmv_error *err);

#if !SPMV_BUNDLE
/* Replaces *plan by `other`, which takes over the candidates of *plan. */
void spmv_trial_take(spmv_plan **plan, spmv_plan *other);
#endif

/* Fills the plan as spmv_plan_build does. If it does not fit into memory and the request names no
 * method, *plan becomes the cheapest that does fit. On error *plan may be NULL and *fault is of the
 * last candidate. */
spmv_status spmv_trial_build_fitting(const spmv_device *device, const spmv_request *request,
                                     const spmv_options *known, spmv_plan **plan,
                                     spmv_error *fault);

#endif
