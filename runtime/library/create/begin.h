/* begin.h: the first and the last stage of creating and of loading a plan. */
#ifndef SPMV_BEGIN_H
#define SPMV_BEGIN_H

#include "runtime/library/devices/fetched.h"
#include "runtime/library/plan/plan.h"

/* The first stage: copies the options to *known, a struct of this library's version, fetches the
 * matrix, checks arguments and matrix, and allocates a plan in which only what is known before the
 * choice is set. The next stages use fetched->csr. Error texts have no prefix yet. */
spmv_status spmv_plan_begin(const spmv_device *device, const spmv_csr *csr,
                            const spmv_plan_options *options, spmv_plan_options *known,
                            spmv_fetched *fetched, spmv_plan **out, spmv_error *err);

/* Lists a step before those that filled the layout. */
void spmv_plan_profile_first(spmv_plan *plan, const char *name, double seconds);

/* The last stage. Frees what was fetched, and destroys the plan unless `status` is SPMV_OK. */
spmv_status spmv_plan_end(const spmv_device *device, spmv_fetched *fetched, spmv_plan **out,
                          spmv_status status);

#endif
