/* build.h: building the plan of a chosen module. */
#ifndef SPMV_BUILD_H
#define SPMV_BUILD_H

#include "runtime/core/choice.h"
#include "runtime/core/plan.h"

/* Chooses a module and builds a plan in which only `threads` is set. If that does not fit into
 * memory and the request names no method, the plan becomes the cheapest that does fit. The caller
 * destroys choice->candidates, also after an error, whose text is that of the last candidate. */
spmv_status spmv_plan_build(const spmv_request *request, spmv_core *plan, spmv_choice *choice,
                            spmv_error *fault);

/* Builds a plan of exactly this module. */
spmv_status spmv_plan_build_named(const spmv_request *request, const spmv_module *module,
                                  spmv_core *plan, spmv_choice *choice, spmv_error *fault);

/* Allocates the arrays of the plan's layout and runs the module's build steps; with `copy` the plan
 * borrows nothing. */
spmv_status spmv_core_build(spmv_core *plan, int copy, spmv_error *err);

#endif
