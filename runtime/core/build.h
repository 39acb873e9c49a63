/* build.h: creating a plan in stages: from options, from a file, or of another module. */
#ifndef SPMV_BUILD_H
#define SPMV_BUILD_H

#include "runtime/core/plan.h"
#if !SPMV_BUNDLE
#include "runtime/library/devices/fetched.h"
#endif
#include "runtime/core/request.h"

/* Chooses a module and fills a plan that spmv_plan_start made. On error spmv_plan_destroy frees
 * what was allocated. */
spmv_status spmv_plan_build(const spmv_device *device, const spmv_request *request,
                            const spmv_options *known, spmv_plan *plan, spmv_error *err);

#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
/* Copies a finished layout to the device, if the module has a program. */
spmv_status spmv_plan_to_device(const spmv_device *device, spmv_plan *plan, spmv_error *err);
#endif

#if !SPMV_BUNDLE
/* The first stage of creating and loading: copies the options to *known, a struct of this library's
 * version, fetches the matrix, checks arguments and matrix, and allocates a plan in which only
 * `device`, `threads` and `started` are set. The next stages use fetched->csr. Error texts have no
 * prefix yet. */
spmv_status spmv_plan_begin(const spmv_device *device, const spmv_csr *csr,
                            const spmv_plan_options *options, spmv_plan_options *known,
                            spmv_fetched *fetched, spmv_plan **out, spmv_error *err);

/* Lists a step before those that filled the layout. */
void spmv_plan_profile_first(spmv_plan *plan, const char *name, double seconds);

/* The last stage of creating and loading. Frees what was fetched, and destroys the plan unless
 * `status` is SPMV_OK. */
spmv_status spmv_plan_end(const spmv_device *device, spmv_fetched *fetched, spmv_plan **out,
                          spmv_status status);

#endif

#endif
