/* build.h: what libspmv adds to the building of a plan by the core. */
#ifndef SPMV_CREATE_BUILD_H
#define SPMV_CREATE_BUILD_H

#include "runtime/library/plan/plan.h"

/* Copies a built layout to the device, if the module has a program, and prepares multiplications.
 * On error spmv_plan_destroy frees what was made. */
spmv_status spmv_plan_finish(spmv_plan *plan, spmv_error *err);

#endif
