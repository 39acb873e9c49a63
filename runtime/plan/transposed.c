/* transposed.c: see transposed.h. Thread-safe: no shared state. */
#include "runtime/plan/transposed.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/plan/build.h"
#include "runtime/plan/choice.h"

int spmv_plan_is_transposed(const spmv_plan *plan)
{
    return (plan->transposed != NULL && plan->transposed->triangle == 0) ||
           plan->module->ops->transposes;
}

/* ---- before the choice ----------------------------------------------------------------------- */

/* Whether modules that take the transpose may be chosen: not for a few multiplications, if there is
 * a module that does without. Of a triangle, a module that does without may decline it. */
static int is_useful(const spmv_device *device, const spmv_request *request)
{
    if (!spmv_choice_has(device, request, 1))
        return 0;
    return request->symmetric || request->method != NULL || request->module != NULL ||
           request->runs >= SPMV_CONVERSION_RUNS || !spmv_choice_has(device, request, 0);
}

spmv_status spmv_request_transpose(const spmv_device *device, spmv_request *request,
                                   const spmv_threads *threads, spmv_transposed **transpose,
                                   spmv_error *fault)
{
    spmv_status status;

    *transpose = NULL;
    if ((!request->transposed && !request->symmetric) || !is_useful(device, request))
        return SPMV_OK;
    status = request->symmetric
                 ? spmv_expanded_create(request->csr, request->symmetric, threads, transpose, fault)
                 : spmv_transposed_create(request->csr, threads, transpose, fault);
    if (status == SPMV_OK) {
        request->transpose = *transpose;
        return SPMV_OK;
    }
    if (request->method != NULL || status != SPMV_OUT_OF_MEMORY ||
        !spmv_choice_has(device, request, 0))
        return status;
    request->no_transpose = fault->text;
    return SPMV_OK;
}

/* ---- after the build ------------------------------------------------------------------------- */

/* Whether the plan gives the columns back that its layout was made from. */
static int has_columns(const spmv_plan *plan)
{
    int32_t column;
    const spmv_job job = {.layout = &plan->layout, .col_idx_out = &column};
    spmv_step step[SPMV_MAX_STEPS];

    return (plan->layout.borrows & SPMV_BORROWS_COL_IDX) != 0 || plan->layout.csr.nnz == 0 ||
           plan->module->ops->restore_steps(&job, step) > 0;
}

spmv_status spmv_plan_keep_transpose(spmv_plan *plan, spmv_transposed *transpose, spmv_error *err)
{
    spmv_status status = SPMV_OK;

    if (transpose == NULL ||
        !spmv_needs_conversion(plan->module, transpose->triangle == 0, transpose->triangle)) {
        spmv_transposed_destroy(transpose);
        return SPMV_OK;
    }
    plan->transposed = transpose;
    if (transpose->source == NULL && !has_columns(plan))
        status = spmv_transposed_find_source(transpose, transpose->csr.col_idx, &plan->threads,
                                             err);
    spmv_transposed_keep(transpose, plan->layout.borrows);
    plan->layout_bytes += spmv_transposed_bytes(transpose, plan->layout.borrows);
    return status;
}

void spmv_plan_profile_transpose(spmv_plan *plan)
{
    if (plan->transposed != NULL)
        spmv_plan_profile_first(plan, plan->transposed->triangle ? "expand" : "transpose",
                                plan->transposed->seconds);
}
