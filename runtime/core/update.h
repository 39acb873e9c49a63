/* update.h: new values for a plan's layout. */
#ifndef SPMV_UPDATE_H
#define SPMV_UPDATE_H

#include "runtime/core/plan.h"

/* Copies the values of layout.csr into the layout. */
spmv_status spmv_core_take_values(const spmv_core *plan, spmv_error *err);

/* Whether val can be `count` values of this alignment. */
spmv_status spmv_values_check(int64_t count, size_t alignment, const void *val, spmv_error *err);

/* Replaces the plan's values by checked ones. */
spmv_status spmv_core_replace_values(spmv_core *plan, const void *val, spmv_error *err);

#endif
