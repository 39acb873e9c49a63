/* start.h: the beginning of every plan: options and matrix are checked, threads are counted. */
#ifndef SPMV_START_H
#define SPMV_START_H

#include "runtime/core/plan.h"

/* Makes the checks that depend on neither modules nor the device, and gives expected_runs its
 * default. */
spmv_status spmv_plan_options_check(spmv_options *known, spmv_error *err);

#if !SPMV_BUNDLE_STATIC
/* Checks the matrix and allocates a plan in which only `threads` is set. The options were
 * checked. On error *out is NULL. */
spmv_status spmv_plan_start(const spmv_csr *csr, const spmv_options *known, spmv_plan **out,
                            spmv_error *err);
#endif

#endif
