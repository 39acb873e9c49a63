/* update_values.c: spmv_plan_update_values. Allocates nothing, except for a plan that was
 * transposed or that widens values, and for values in memory of the device. */
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/types.h"
#include "runtime/core/update.h"
#include "runtime/library/devices/device.h"
#include "runtime/library/devices/fetched.h"
#include "runtime/library/matrix/symmetry.h"
#include "runtime/library/update/transposed.h"

/* Of the caller's values. */
static size_t values_bytes(const spmv_plan *plan)
{
    const int64_t nnz = plan->transposed != NULL ? plan->transposed->given_nnz
                                                 : plan->core.layout.csr.nnz;

    return (size_t)nnz * spmv_stored_bytes(spmv_plan_stored_type(plan));
}

/* A module for symmetric matrices reads one of two equal values. It borrows the structure. */
static spmv_status check_mirrors(const spmv_plan *plan, const void *val, spmv_error *err)
{
    spmv_csr csr = plan->core.layout.csr;

    if (!plan->core.module->ops->symmetric || plan->symmetric != SPMV_SYMMETRIC_FULL)
        return SPMV_OK;
    csr.val = val;
    return spmv_symmetry_check(&csr, plan->symmetric, &plan->core.threads, err);
}

/* Replaces the plan's values by checked ones of the type that its module reads. */
static spmv_status replace_values(spmv_plan *plan, const void *val, spmv_error *err)
{
    const spmv_status status = check_mirrors(plan, val, err);

    if (status != SPMV_OK)
        return status;
    return plan->transposed != NULL ? spmv_transposed_update(plan, val, err)
                                    : spmv_plan_replace_values(plan, val, err);
}

/* The same for checked values of the caller's type. A plan that borrows its values keeps the
 * widened ones. */
static spmv_status widen_values(spmv_plan *plan, const void *val, spmv_error *err)
{
    spmv_widened *w = plan->widened;
    void *to = spmv_widened_allocate(w, err);
    spmv_status status = to != NULL ? spmv_widened_take(w, &plan->core.threads, val, to, err)
                                    : SPMV_OUT_OF_MEMORY;

    if (status == SPMV_OK)
        status = replace_values(plan, to, err);
    if (status == SPMV_OK && w->csr.val != NULL)
        spmv_widened_set_values(w, to);
    else
        spmv_memory_free(to);
    return status;
}

/* The same, for a module that widens values itself, too. */
static spmv_status update_values(spmv_plan *plan, const void *val, spmv_error *err)
{
    return plan->widened != NULL && plan->core.layout.val_type == 0 ? widen_values(plan, val, err)
                                                               : replace_values(plan, val, err);
}

/* The same for values that were fetched from the device. A plan that would borrow them takes them,
 * and *val becomes NULL. */
static spmv_status take_fetched(spmv_plan *plan, void **val, spmv_error *err)
{
    const int borrows = (plan->core.layout.borrows & SPMV_BORROWS_VAL) != 0 &&
                        plan->widened == NULL && plan->transposed == NULL &&
                        plan->core.copy[SPMV_VAL] == NULL;
    const spmv_status status = update_values(plan, *val, err);

    if (status != SPMV_OK || !borrows)
        return status;
    plan->core.copy[SPMV_VAL] = *val;
    plan->core.layout_bytes += values_bytes(plan);
    *val = NULL;
    return SPMV_OK;
}

spmv_status spmv_plan_update_values(spmv_plan *plan, const void *val, spmv_error *err)
{
    void *fetched = NULL;
    spmv_status status;

    if (plan == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "spmv_plan_update_values: plan is NULL");
    status = spmv_values_check(plan->core.layout.csr.nnz,
                               spmv_stored_alignment(spmv_plan_stored_type(plan)), val, err);
    if (status == SPMV_OK)
        status = spmv_fetch_array(plan->device, "val", val, values_bytes(plan), &fetched, err);
    if (status == SPMV_OK && fetched != NULL)
        status = take_fetched(plan, &fetched, err);
    else if (status == SPMV_OK)
        status = update_values(plan, val, err);
    spmv_memory_free(fetched);
    return spmv_error_within(err, "spmv_plan_update_values", status);
}
