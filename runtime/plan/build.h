/* build.h: the parts of making a plan, for whoever makes one: from options, from a file, or to try
 * another module. */
#ifndef SPMV_BUILD_H
#define SPMV_BUILD_H

#include "runtime/plan/plan.h"
#include "runtime/plan/request.h"

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

/* What they end with, whatever `status` they reached: destroys a plan that was not finished. */
spmv_status spmv_plan_end(const spmv_device *device, spmv_plan **out, spmv_status status);

#endif
