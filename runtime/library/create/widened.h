/* widened.h: plans whose vectors have another type than the caller's values (options.vector_type),
 * or whose values are rounded (options.round_to).
 *
 * Modules get a matrix with values of the vectors' type, which belongs to the plan. It keeps these
 * values only if its layout borrows them.
 */
#ifndef SPMV_WIDENED_H
#define SPMV_WIDENED_H

#include "runtime/core/plan.h"
#include "runtime/core/request.h"

/* The types that the options ask for, of a checked matrix. SPMV_INVALID_ARGUMENT: they do not fit
 * each other. */
spmv_status spmv_value_types_read(const spmv_csr *csr, const spmv_plan_options *known,
                                  spmv_value_types *types, spmv_error *err);

/* If the request's values are to be converted, sets request->csr and request->widened to those of
 * *widened, which the caller destroys or gives to a plan; else *widened is NULL. */
spmv_status spmv_request_widen(spmv_request *request, const spmv_plan_options *known,
                               const spmv_threads *threads, spmv_widened **widened,
                               spmv_error *err);

/* Gives the widened matrix to the plan whose layout and transpose are made, and adds its types to
 * the plan's reason. NULL is fine. */
void spmv_plan_keep_widened(spmv_plan *plan, spmv_widened *widened);

/* Lists widening, if there was any, as the first step of building. */
void spmv_plan_profile_widen(spmv_plan *plan);

/* The type of the values that the caller gives and gets. */
static inline spmv_value_type spmv_plan_stored_type(const spmv_plan *plan)
{
    return plan->widened != NULL ? plan->widened->types.stored : plan->layout.csr.value_type;
}

#endif
