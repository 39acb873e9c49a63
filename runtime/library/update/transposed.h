/* transposed.h: plans of the transposed product (options.transposed), and of a triangle of a
 * symmetric matrix (options.symmetric).
 *
 * Modules that transpose take the caller's matrix. Others take its transpose, which the plan then
 * owns, so such a plan borrows nothing of the caller's. A plan of a triangle likewise owns the
 * whole matrix, unless its module reads the upper triangle and the caller gave that.
 */
#ifndef SPMV_TRANSPOSED_H
#define SPMV_TRANSPOSED_H

#include "runtime/library/plan/plan.h"

int spmv_plan_is_transposed(const spmv_plan *plan);

/* Replaces the values that the plan's module reads by checked ones. */
spmv_status spmv_plan_replace_values(spmv_plan *plan, const void *val, spmv_error *err);

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
