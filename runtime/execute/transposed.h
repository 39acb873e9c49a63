/* transposed.h: new values for plans of a transposed matrix, and that matrix back as CSR. */
#ifndef SPMV_EXECUTE_TRANSPOSED_H
#define SPMV_EXECUTE_TRANSPOSED_H

#include "runtime/plan/plan.h"

/* Replaces the values of a plan with a transpose by checked ones in the order of the caller's
 * matrix. The first call finds that order, which the plan then keeps. SPMV_OUT_OF_MEMORY: nothing
 * changes. */
spmv_status spmv_transposed_update(spmv_plan *plan, const void *val, spmv_error *err);

/* Whether the caller's outputs of a restore overlap each other or the plan. */
spmv_status spmv_transposed_check_outputs(const spmv_plan *plan, const void *row_ptr,
                                          const void *col_idx, const void *val, spmv_error *err);

/* Writes the caller's matrix, of which the plan has the transpose, with values of the vectors'
 * type. The outputs are checked; any of them may be NULL. */
spmv_status spmv_transposed_restore(const spmv_plan *plan, void *row_ptr, int32_t *col_idx,
                                    void *val, spmv_error *err);

#endif
