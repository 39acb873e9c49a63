/* restore_csr.c: spmv_plan_restore_csr, which writes a plan back as CSR. Allocates nothing, except
 * for a plan that was transposed or that widens values. */
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/overlap.h"
#include "runtime/base/types.h"
#include "runtime/core/layout.h"
#include "runtime/base/types.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/library/update/restore.h"
#include "runtime/library/update/transposed.h"

/* An output may be the array that the plan borrowed, and may not overlap any other array of the
 * plan. */
static int is_misplaced(const spmv_layout *layout, const void *output, size_t bytes,
                        const void *source, int32_t array)
{
    const int32_t reached = spmv_csr_overlap(&layout->csr, output, bytes);

    return spmv_layout_overlaps(layout, output, bytes) ||
           (reached != 0 && (reached != array || output != source));
}

static spmv_status check_overlap(const spmv_layout *layout, spmv_value_type stored,
                                 const void *row_ptr, const void *col_idx, const void *val,
                                 spmv_error *err)
{
    const spmv_csr *csr = &layout->csr;
    const size_t row_ptr_bytes = ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type);
    const size_t col_idx_bytes = (size_t)csr->nnz * sizeof(int32_t);
    const size_t val_bytes = (size_t)csr->nnz * spmv_stored_bytes(stored);
    const spmv_status status = spmv_restore_check_outputs(
        (const void *const[]){row_ptr, col_idx, val},
        (const size_t[]){row_ptr_bytes, col_idx_bytes, val_bytes}, err);

    if (status != SPMV_OK)
        return status;
    if (is_misplaced(layout, row_ptr, row_ptr_bytes, csr->row_ptr, SPMV_BORROWS_ROW_PTR) ||
        is_misplaced(layout, col_idx, col_idx_bytes, csr->col_idx, SPMV_BORROWS_COL_IDX) ||
        is_misplaced(layout, val, val_bytes, csr->val, SPMV_BORROWS_VAL))
        return spmv_error_set(err, SPMV_ALIASING, SPMV_RESTORE
                              "an array overlaps one that the plan borrows or made; expected other "
                              "memory, or the borrowed array itself for its own contents");
    return SPMV_OK;
}

static spmv_status check_outputs(const spmv_plan *plan, const void *row_ptr, const void *col_idx,
                                 const void *val, spmv_error *err)
{
    spmv_value_type stored;

    if (plan == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, SPMV_RESTORE "plan is NULL");
    stored = spmv_plan_stored_type(plan);
    if (!spmv_is_aligned(row_ptr, spmv_offset_alignment(plan->core.layout.csr.offset_type)) ||
        !spmv_is_aligned(col_idx, _Alignof(int32_t)) ||
        !spmv_is_aligned(val, spmv_stored_alignment(stored)))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, SPMV_RESTORE
                              "an array is misaligned; expected multiples of its elements' size");
    return plan->transposed != NULL
               ? spmv_transposed_check_outputs(plan, row_ptr, col_idx, val, err)
               : check_overlap(&plan->core.layout, stored, row_ptr, col_idx, val, err);
}

/* Writes the matrix to checked outputs, with values of the vectors' type. */
static spmv_status restore(const spmv_plan *plan, void *row_ptr, int32_t *col_idx, void *val,
                           spmv_error *err)
{
    const spmv_csr *csr = &plan->core.layout.csr;

    if (plan->transposed != NULL)
        return spmv_transposed_restore(plan, row_ptr, col_idx, val, err);
    if (row_ptr != NULL && csr->row_ptr != NULL) {
        spmv_parallel_copy(&plan->core.threads, row_ptr, csr->row_ptr,
                           ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type));
        row_ptr = NULL;
    }
    if (row_ptr == NULL && (csr->nnz == 0 || (col_idx == NULL && val == NULL)))
        return SPMV_OK;
    return spmv_restore_layout(plan, row_ptr, col_idx, val, err);
}

/* Writes the values in the caller's type; the plan's are widened. */
static spmv_status restore_widened(const spmv_plan *plan, void *row_ptr, int32_t *col_idx,
                                   void *val, spmv_error *err)
{
    const void *from = plan->transposed == NULL ? plan->core.layout.csr.val : NULL;
    void *own = NULL;
    spmv_status status;

    if (from == NULL) {
        own = spmv_widened_allocate(plan->widened, err);
        if (own == NULL)
            return spmv_error_within(err, "spmv_plan_restore_csr", SPMV_OUT_OF_MEMORY);
        from = own;
    }
    status = restore(plan, row_ptr, col_idx, own, err);
    if (status == SPMV_OK)
        spmv_widened_give(plan->widened, &plan->core.threads, from, val);
    spmv_memory_free(own);
    return status;
}

spmv_status spmv_plan_restore_csr(const spmv_plan *plan, void *row_ptr, int32_t *col_idx, void *val,
                                  spmv_error *err)
{
    const spmv_status status = check_outputs(plan, row_ptr, col_idx, val, err);

    if (status != SPMV_OK)
        return status;
    return plan->widened != NULL && val != NULL
               ? restore_widened(plan, row_ptr, col_idx, val, err)
               : restore(plan, row_ptr, col_idx, val, err);
}
