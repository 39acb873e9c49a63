/* widened.c: see widened.h. Thread-safe: no shared state. */
#include "runtime/library/create/widened.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/core/build.h"
#include "runtime/core/stored.h"

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
                              spmv_value_name(types->vectors), spmv_stored_name(csr->value_type));
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
                              spmv_stored_name(known->round_to),
                              spmv_stored_name(csr->value_type));
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

spmv_status spmv_request_widen(spmv_request *request, const spmv_plan_options *known,
                               const spmv_threads *threads, spmv_widened **widened,
                               spmv_error *err)
{
    spmv_value_types types;
    spmv_status status = spmv_value_types_read(request->csr, known, &types, err);

    *widened = NULL;
    if (status != SPMV_OK || !spmv_values_convert(&types))
        return status;
    /* Transposing, adding mirrors and checking symmetry read the widened values. */
    status = spmv_widened_create(request->csr, &types, !request->transposed && !request->symmetric,
                                 threads, widened, err);
    if (status != SPMV_OK)
        return status;
    request->csr = &(*widened)->csr;
    request->widened = *widened;
    return SPMV_OK;
}

/* ---- after the build ------------------------------------------------------------------------- */

static void add_reason(spmv_plan *plan, const spmv_value_types *types)
{
    const size_t length = strlen(plan->reason);
    spmv_text text = {plan->reason, sizeof plan->reason, length};

    spmv_text_add(&text, "; its values of %s are", spmv_stored_name(types->stored));
    if (types->rounded != 0)
        spmv_text_add(&text, " rounded to %s", spmv_stored_name(types->rounded));
    if (types->stored != types->vectors)
        spmv_text_add(&text, "%s widened to %s", types->rounded != 0 ? " and" : "",
                      spmv_value_name(types->vectors));
}

void spmv_plan_keep_widened(spmv_plan *plan, spmv_widened *widened)
{
    if (widened == NULL)
        return;
    plan->widened = widened;
    widened->given = NULL;
    if ((plan->layout.borrows & SPMV_BORROWS_VAL) != 0 && plan->transposed == NULL &&
        plan->copy[SPMV_VAL] == NULL)
        plan->layout_bytes += spmv_widened_bytes(widened);
    else
        spmv_widened_set_values(widened, NULL);
    add_reason(plan, &widened->types);
}

void spmv_plan_profile_widen(spmv_plan *plan)
{
    if (plan->widened != NULL && plan->layout.val_type == 0)
        spmv_plan_profile_first(plan, plan->widened->types.rounded != 0 ? "round" : "widen",
                                plan->widened->seconds);
}
