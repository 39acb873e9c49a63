/* transposed.c: see transposed.h. Thread-safe: no shared state. New values, and the matrix back as
 * CSR, take memory for the duration of the call, of the size of the arrays that the plan did not
 * keep. */
#include "runtime/library/update/transposed.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/overlap.h"
#include "runtime/base/types.h"
#include "runtime/base/types.h"
#include "runtime/core/update.h"
#include "runtime/library/update/restore.h"

int spmv_plan_is_transposed(const spmv_plan *plan)
{
    return (plan->transposed != NULL && plan->transposed->triangle == 0) ||
           plan->core.module->ops->transposes;
}

/* ---- the arrays of a finished plan ----------------------------------------------------------- */

/* Arrays of the transpose: the plan's, where it kept them, or temporary ones. */
typedef struct arrays {
    const int32_t *col_idx;
    const void *val;
    const void *source;
    int32_t *own_col_idx;        /* temporary, or NULL */
    void *own_val, *own_source;
} arrays;

static void destroy_arrays(arrays *a)
{
    spmv_memory_free(a->own_col_idx);
    spmv_memory_free(a->own_val);
    spmv_memory_free(a->own_source);
}

static spmv_status lacks_memory(size_t bytes, spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                          "no memory for a temporary array of the transposed matrix, %zu bytes",
                          bytes);
}

/* Allocates a temporary array of nnz elements. */
static void *allocate(const spmv_plan *plan, size_t element_bytes, spmv_error *err)
{
    const size_t bytes = (size_t)plan->core.layout.csr.nnz * element_bytes;
    void *memory = spmv_memory_alloc_streamed(bytes);

    if (memory == NULL)
        (void)lacks_memory(bytes, err);
    return memory;
}

/* Gets columns and values that the plan did not keep from its layout. */
static spmv_status get_entries(const spmv_plan *plan, int needs_columns, int needs_values,
                               arrays *a, spmv_error *err)
{
    const spmv_csr *csr = &plan->transposed->csr;
    spmv_status status = SPMV_OK;

    a->col_idx = csr->col_idx;
    a->val = csr->val;
    if (needs_columns && a->col_idx == NULL) {
        a->own_col_idx = (int32_t *)allocate(plan, sizeof(int32_t), err);
        a->col_idx = a->own_col_idx;
        status = a->own_col_idx != NULL ? SPMV_OK : SPMV_OUT_OF_MEMORY;
    }
    if (status == SPMV_OK && needs_values && a->val == NULL) {
        a->own_val = allocate(plan, spmv_value_bytes(csr->value_type), err);
        a->val = a->own_val;
        status = a->own_val != NULL ? SPMV_OK : SPMV_OUT_OF_MEMORY;
    }
    if (status != SPMV_OK || (a->own_col_idx == NULL && a->own_val == NULL) || csr->nnz == 0)
        return status;
    return spmv_restore_layout(plan, NULL, a->own_col_idx, a->own_val, err);
}

/* ---- new values ------------------------------------------------------------------------------ */

/* Finds the order of the caller's entries, if it is not known. */
static spmv_status know_order(spmv_plan *plan, spmv_error *err)
{
    spmv_transpose *t = plan->transposed;
    arrays a = {0};
    spmv_status status;

    if (t->source != NULL)
        return SPMV_OK;
    status = get_entries(plan, 1, 0, &a, err);
    if (status == SPMV_OK)
        status = spmv_transpose_find_source(t, a.col_idx, &plan->core.threads, err);
    if (status == SPMV_OK)
        plan->core.layout_bytes += (size_t)t->csr.nnz * t->index_bytes;
    destroy_arrays(&a);
    return status;
}

spmv_status spmv_plan_replace_values(spmv_plan *plan, const void *val, spmv_error *err)
{
    const spmv_status status = spmv_core_replace_values(&plan->core, val, err);

    spmv_prepared_fill(&plan->prepared, plan->core.module, &plan->core.layout);
    return status;
}

spmv_status spmv_transposed_update(spmv_plan *plan, const void *val, spmv_error *err)
{
    spmv_transpose *t = plan->transposed;
    const int is_kept = t->csr.val != NULL;
    void *to = (void *)(uintptr_t)t->csr.val;
    spmv_status status = know_order(plan, err);

    if (status != SPMV_OK)
        return status;
    if (!is_kept && (to = allocate(plan, spmv_value_bytes(t->csr.value_type), err)) == NULL)
        return SPMV_OUT_OF_MEMORY;
    spmv_transpose_take_values(t, &plan->core.threads, val, to);
    status = spmv_plan_replace_values(plan, to, err);
    if (!is_kept)
        spmv_memory_free(to);
    return status;
}

/* ---- back as CSR ----------------------------------------------------------------------------- */

spmv_status spmv_transposed_check_outputs(const spmv_plan *plan, const void *row_ptr,
                                          const void *col_idx, const void *val, spmv_error *err)
{
    const spmv_transpose *t = plan->transposed;
    const size_t nnz = (size_t)t->given_nnz;
    const void *const output[SPMV_CSR_ARRAYS] = {row_ptr, col_idx, val};
    const size_t bytes[SPMV_CSR_ARRAYS] = {
        ((size_t)t->csr.cols + 1) * spmv_offset_bytes(t->csr.offset_type),
        nnz * sizeof(int32_t), nnz * spmv_stored_bytes(spmv_plan_stored_type(plan)),
    };
    const spmv_status status = spmv_restore_check_outputs(output, bytes, err);

    for (int i = 0; i < SPMV_CSR_ARRAYS && status == SPMV_OK; i++)
        if (spmv_layout_overlaps(&plan->core.layout, output[i], bytes[i]) ||
            spmv_csr_overlap(&t->csr, output[i], bytes[i]) != 0 ||
            spmv_do_overlap(output[i], bytes[i], t->source,
                            (size_t)t->csr.nnz * t->index_bytes))
            return spmv_error_set(err, SPMV_ALIASING, SPMV_RESTORE
                                  "an array overlaps one that the plan made; expected other "
                                  "memory");
    return status;
}

/* Writes the row pointers and finds the order of the entries, as far as they are needed. */
static spmv_status restore_order(const spmv_plan *plan, void *row_ptr, int needs_order, arrays *a,
                                 spmv_error *err)
{
    const spmv_transpose *t = plan->transposed;

    a->source = t->source;
    if (needs_order && t->source == NULL) {
        a->own_source = allocate(plan, t->index_bytes, err);
        a->source = a->own_source;
        if (a->own_source == NULL)
            return SPMV_OUT_OF_MEMORY;
    }
    if (row_ptr == NULL && a->own_source == NULL)
        return SPMV_OK;
    return spmv_transpose_order(t, a->col_idx, &plan->core.threads, row_ptr, a->own_source, err);
}

spmv_status spmv_transposed_restore(const spmv_plan *plan, void *row_ptr, int32_t *col_idx,
                                    void *val, spmv_error *err)
{
    const spmv_transpose *t = plan->transposed;
    const int needs_order = col_idx != NULL || val != NULL;
    arrays a = {0};
    spmv_status status;

    status = get_entries(plan,
                         row_ptr != NULL ||
                             (needs_order && (t->source == NULL || t->triangle != 0)),
                         val != NULL, &a, err);
    if (status == SPMV_OK)
        status = restore_order(plan, row_ptr, needs_order, &a, err);
    if (status == SPMV_OK && needs_order)
        spmv_transpose_give(t, a.col_idx, a.source, &plan->core.threads, col_idx, a.val, val);
    destroy_arrays(&a);
    return status == SPMV_OUT_OF_MEMORY ? spmv_error_within(err, "spmv_plan_restore_csr", status)
                                        : status;
}
