/* update.h: new values for a plan's layout. */
#ifndef SPMV_UPDATE_H
#define SPMV_UPDATE_H

#include "runtime/plan/plan.h"

/* Copies the values of layout.csr into the layout. */
spmv_status spmv_plan_take_values(const spmv_plan *plan, spmv_error *err);

#endif
