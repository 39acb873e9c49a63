/* conversions.h: the caller's matrix in the forms that modules may get: with values of the vectors'
 * type (options.vector_type, options.round_to); its transpose (options.transposed); the whole of a
 * triangle (options.symmetric).
 *
 * Modules that transpose, or that read the upper triangle, take the caller's matrix. What a plan
 * needs of the converted one belongs to the plan, so such a plan borrows nothing of the caller's.
 */
#ifndef SPMV_CONVERSIONS_H
#define SPMV_CONVERSIONS_H

#include "runtime/core/request.h"
#include "runtime/library/plan/plan.h"

/* Owns what was made for a request, until spmv_plan_keep. */
typedef struct spmv_conversions {
    spmv_widened *widened;       /* NULL: the caller's values have the vectors' type */
    spmv_transpose *transposed;  /* the transpose, or the whole of a triangle; NULL: none */
    spmv_csr given;              /* the matrix with the caller's values, for modules that widen */
} spmv_conversions;

/* The types that the options ask for, of a checked matrix. SPMV_INVALID_ARGUMENT: they do not fit
 * each other. */
spmv_status spmv_value_types_read(const spmv_csr *csr, const spmv_plan_options *known,
                                  spmv_value_types *types, spmv_error *err);

/* Makes the forms of request->csr, the caller's, that its modules may get, and lists them in the
 * request. module: the only one, or NULL. can_wait: values may be widened when a module needs
 * them. Without memory for the converted matrix other modules may do: then the request says so, by
 * the text of *fault, which must live as long. On error too, spmv_conversions_free must follow. */
spmv_status spmv_conversions_make(spmv_request *request, const spmv_module *module,
                                  const spmv_plan_options *known, int can_wait,
                                  const spmv_threads *threads, spmv_conversions *made,
                                  spmv_error *fault);

/* Gives a plan that was built for the request what it needs of the conversions, and frees the rest.
 * Adds the types of its values to its reason, and the time that they took as first steps of
 * building. SPMV_OUT_OF_MEMORY: for the order of the entries, if the module cannot restore
 * columns. */
spmv_status spmv_plan_keep(spmv_plan *plan, const spmv_request *request, spmv_conversions *made,
                           spmv_error *err);

/* Frees what no plan has. All zero is fine. */
void spmv_conversions_free(spmv_conversions *made);

#endif
