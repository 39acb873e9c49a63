/* conversions.c: see conversions.h. Thread-safe: no shared state. */
#include "runtime/library/create/conversions.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/base/types.h"
#include "runtime/core/choice.h"
#include "runtime/core/selection.h"
#include "runtime/library/create/begin.h"

#include <string.h>

/* ---- types ----------------------------------------------------------------------------------- */

static spmv_status read_vectors(const spmv_csr *csr, const spmv_plan_options *known,
                                spmv_value_types *types, spmv_error *err)
{
    if (known->vector_type != 0 && spmv_value_bytes(known->vector_type) == 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.vector_type is %d; expected SPMV_F32 (%d), SPMV_F64 (%d), "
                              "or 0 for the type of the values", (int)known->vector_type, SPMV_F32,
                              SPMV_F64);
    if (known->vector_type != 0)
        types->vectors = known->vector_type;
    else
        types->vectors = spmv_is_half(csr->value_type) ? SPMV_F32 : csr->value_type;
    if (spmv_value_bytes(types->vectors) < spmv_stored_bytes(csr->value_type))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.vector_type is %s, but the values (csr.value_type) are %s; "
                              "expected vectors of the same or a wider type: set "
                              "options.vector_type to 0, or convert the values",
                              spmv_value_name(types->vectors), spmv_value_name(csr->value_type));
    return SPMV_OK;
}

static spmv_status read_rounded(const spmv_csr *csr, const spmv_plan_options *known,
                                spmv_value_types *types, spmv_error *err)
{
    types->rounded = (spmv_value_type)0;
    if (known->round_to == 0)
        return SPMV_OK;
    if (spmv_stored_bytes(known->round_to) == 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.round_to is %d; expected SPMV_F16 (%d), SPMV_BF16 (%d), "
                              "SPMV_F32 (%d), SPMV_F64 (%d), or 0 for values as they are",
                              (int)known->round_to, SPMV_F16, SPMV_BF16, SPMV_F32, SPMV_F64);
    if (known->round_to == csr->value_type)
        return SPMV_OK;
    if (spmv_stored_bytes(known->round_to) >= spmv_stored_bytes(csr->value_type))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.round_to is %s, but the values (csr.value_type) are %s; "
                              "expected a narrower type, or 0 for values as they are",
                              spmv_value_name(known->round_to),
                              spmv_value_name(csr->value_type));
    types->rounded = known->round_to;
    return SPMV_OK;
}

spmv_status spmv_value_types_read(const spmv_csr *csr, const spmv_plan_options *known,
                                  spmv_value_types *types, spmv_error *err)
{
    const spmv_status status = read_vectors(csr, known, types, err);

    types->stored = csr->value_type;
    return status == SPMV_OK ? read_rounded(csr, known, types, err) : status;
}

/* ---- before the choice ----------------------------------------------------------------------- */

/* Widens the values of the caller's matrix, if that is needed, and lists the form of the whole. */
static spmv_status add_widened(spmv_request *request, const spmv_plan_options *known, int can_wait,
                               const spmv_threads *threads, spmv_conversions *made,
                               spmv_error *err)
{
    spmv_form *form = &request->form[0];
    spmv_value_types types;
    spmv_status status = spmv_value_types_read(request->csr, known, &types, err);

    form->csr = request->csr;
    if (status != SPMV_OK || !spmv_values_convert(&types))
        return status;
    /* Transposing, adding mirrors and checking symmetry read the widened values. */
    status = spmv_widened_create(request->csr, &types,
                                 can_wait && !known->transposed && !known->symmetric, threads,
                                 &made->widened, err);
    if (status != SPMV_OK)
        return status;
    request->csr = form->csr = &made->widened->csr;
    form->owns = SPMV_BORROWS_VAL;
    form->bytes[SPMV_VAL] = spmv_widened_bytes(made->widened);
    form->cost = made->widened->cost;
    if (made->widened->given != NULL) {
        request->form[1] = *form;
        made->given = *form->csr;
        made->given.val = made->widened->given;
        form->csr = &made->given;
        form->val_type = SPMV_F32;
        form->cost = 0;
        form->needs = SPMV_CAN_WIDEN;
    }
    return SPMV_OK;
}

/* Whether the request selects a module that gets this form. */
static int is_wanted(const spmv_request *request, const spmv_module *module, const spmv_form *form)
{
    if (module != NULL)
        return spmv_form_of(request, module) == form;
    for (size_t i = 0; i < request->modules->usable_count; i++) {
        const spmv_module_entry *entry = &request->modules->entry[i];

        if (spmv_form_of(request, entry->module) == form && spmv_is_selected(request, entry))
            return 1;
    }
    return 0;
}

/* Transposes the matrix, or adds the mirrors of a triangle, for modules that cannot. Not for a few
 * multiplications, if there is a module that does without; of a triangle, such a module may decline
 * it. */
static spmv_status add_converted(spmv_request *request, const spmv_module *module,
                                 const spmv_plan_options *known, const spmv_threads *threads,
                                 spmv_conversions *made, spmv_error *fault)
{
    spmv_form *form = &request->form[known->symmetric == SPMV_SYMMETRIC_LOWER ? 0 : 1];
    const double cost = request->form[0].cost;
    int others;
    spmv_status status;

    request->form[0].needs = known->transposed ? SPMV_CAN_TRANSPOSE : SPMV_CAN_MIRROR;
    memset(form, 0, sizeof *form);
    others = form != request->form && is_wanted(request, module, request->form);
    if (!is_wanted(request, module, form) ||
        (!known->symmetric && request->method == NULL && module == NULL &&
         request->runs < SPMV_CONVERSION_RUNS && others))
        return SPMV_OK;
    status = known->symmetric
                 ? spmv_expanded_create(request->csr, known->symmetric, threads, &made->transposed,
                                        fault)
                 : spmv_transpose_create(request->csr, threads, &made->transposed, fault);
    if (status != SPMV_OK) {
        form->fault = fault != NULL ? fault->text : NULL;
        return status == SPMV_OUT_OF_MEMORY && request->method == NULL && others ? SPMV_OK : status;
    }
    form->csr = &made->transposed->csr;
    form->owns = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL;
    form->cost = cost + made->transposed->cost;
    form->fixed_bytes = spmv_transpose_bytes(made->transposed, 0);
    for (int i = SPMV_COL_IDX; i <= SPMV_VAL; i++)
        form->bytes[i] = spmv_transpose_bytes(made->transposed, 1 << i) - form->fixed_bytes;
    return SPMV_OK;
}

spmv_status spmv_conversions_make(spmv_request *request, const spmv_module *module,
                                  const spmv_plan_options *known, int can_wait,
                                  const spmv_threads *threads, spmv_conversions *made,
                                  spmv_error *fault)
{
    spmv_status status;

    memset(made, 0, sizeof *made);
    status = add_widened(request, known, can_wait, threads, made, fault);
    if (status != SPMV_OK || !(known->transposed || known->symmetric == SPMV_SYMMETRIC_LOWER ||
                               known->symmetric == SPMV_SYMMETRIC_UPPER))
        return status;
    return add_converted(request, module, known, threads, made, fault);
}

void spmv_conversions_free(spmv_conversions *made)
{
    spmv_transpose_destroy(made->transposed);
    spmv_widened_destroy(made->widened);
    memset(made, 0, sizeof *made);
}

/* ---- after the build ------------------------------------------------------------------------- */

/* Whether the plan gives the columns back that its layout was made from. */
static int has_columns(const spmv_plan *plan)
{
    int32_t column;
    const spmv_job job = {.layout = &plan->core.layout, .col_idx_out = &column};
    spmv_step step[SPMV_MAX_STEPS];

    return (plan->core.layout.borrows & SPMV_BORROWS_COL_IDX) != 0 ||
           plan->core.layout.csr.nnz == 0 ||
           plan->core.module->ops->restore_steps(&job, step) > 0;
}

static spmv_status keep_transpose(spmv_plan *plan, spmv_transpose *transpose, spmv_error *err)
{
    spmv_status status = SPMV_OK;

    plan->transposed = transpose;
    if (transpose->source == NULL && !has_columns(plan))
        status = spmv_transpose_find_source(transpose, transpose->csr.col_idx, &plan->core.threads,
                                            err);
    spmv_transpose_keep(transpose, plan->core.layout.borrows);
    plan->core.layout_bytes += spmv_transpose_bytes(transpose, plan->core.layout.borrows);
    spmv_plan_profile_first(plan, transpose->triangle ? "expand" : "transpose",
                            transpose->seconds);
    return status;
}

static void add_reason(spmv_plan *plan, const spmv_value_types *types)
{
    const size_t length = strlen(plan->reason);
    spmv_text text = {plan->reason, sizeof plan->reason, length};

    spmv_text_add(&text, "; its values of %s are", spmv_value_name(types->stored));
    if (types->rounded != 0)
        spmv_text_add(&text, " rounded to %s", spmv_value_name(types->rounded));
    if (types->stored != types->vectors)
        spmv_text_add(&text, "%s widened to %s", types->rounded != 0 ? " and" : "",
                      spmv_value_name(types->vectors));
}

static void keep_widened(spmv_plan *plan, spmv_widened *widened)
{
    plan->widened = widened;
    widened->given = NULL;
    if ((plan->core.layout.borrows & SPMV_BORROWS_VAL) != 0 && plan->transposed == NULL &&
        plan->core.copy[SPMV_VAL] == NULL)
        plan->core.layout_bytes += spmv_widened_bytes(widened);
    else
        spmv_widened_set_values(widened, NULL);
    add_reason(plan, &widened->types);
    if (plan->core.layout.val_type == 0)
        spmv_plan_profile_first(plan, widened->types.rounded != 0 ? "round" : "widen",
                                widened->seconds);
}

spmv_status spmv_plan_keep(spmv_plan *plan, const spmv_request *request, spmv_conversions *made,
                           spmv_error *err)
{
    const spmv_csr *csr = spmv_form_of(request, plan->core.module)->csr;
    spmv_status status = SPMV_OK;

    if (made->transposed != NULL && csr == &made->transposed->csr) {
        status = keep_transpose(plan, made->transposed, err);
        made->transposed = NULL;
    }
    if (made->widened != NULL) {
        keep_widened(plan, made->widened);
        made->widened = NULL;
    }
    spmv_conversions_free(made);
    plan->making = NULL;
    return status;
}
