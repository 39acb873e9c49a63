/* trial.h: plans of other candidates than the cheapest, and one of them in the place of a plan. */
#ifndef SPMV_TRIAL_H
#define SPMV_TRIAL_H

#include "runtime/plan/build.h"

/* A plan by this candidate's module, not finished by spmv_plan_end. On error *out may be NULL or a
 * plan that is not finished, either for spmv_plan_destroy. */
spmv_status spmv_trial_build(const spmv_device *device, const spmv_request *request,
                             const spmv_module *module, const spmv_plan_options *known,
                             const spmv_threads *threads, spmv_plan **out, spmv_error *err);

/* Puts `other` in the place of *plan, which passes on what it was chosen from. */
void spmv_trial_take(spmv_plan **plan, spmv_plan *other);

/* There was no memory for *plan, and *fault says for what. Destroys it, and puts into its place the
 * plan of the cheapest candidate that there is memory for. On error *plan is NULL and *fault the
 * last candidate's. */
spmv_status spmv_trial_fall_back(const spmv_device *device, const spmv_request *request,
                                 const spmv_plan_options *known, spmv_plan **plan,
                                 spmv_error *fault);

#endif
