/* trial.h: building plans of other candidates than the cheapest. */
#ifndef SPMV_TRIAL_H
#define SPMV_TRIAL_H

#include "runtime/plan/build.h"

/* Builds a plan of this candidate's module, without spmv_plan_end. On error spmv_plan_destroy frees
 * *out, which may be NULL. */
spmv_status spmv_trial_build(const spmv_device *device, const spmv_request *request,
                             const spmv_module *module, const spmv_plan_options *known,
                             const spmv_threads *threads, spmv_plan **out, spmv_error *err);

/* Replaces *plan by `other`, which takes over the candidates of *plan. */
void spmv_trial_take(spmv_plan **plan, spmv_plan *other);

/* *plan did not fit into memory, as *fault says. Destroys it and builds the cheapest candidate that
 * does fit. On error *plan is NULL and *fault is of the last candidate. */
spmv_status spmv_trial_fall_back(const spmv_device *device, const spmv_request *request,
                                 const spmv_plan_options *known, spmv_plan **plan,
                                 spmv_error *fault);

#endif
