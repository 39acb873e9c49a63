/* storage.c: see storage.h. Plans share nothing; each belongs to one thread while it is made. */
#include "runtime/core/storage.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/types.h"
#include "runtime/core/shell.h"
#include "runtime/core/threads/parallel.h"

#include <string.h>

spmv_status spmv_storage_lacks(const spmv_core *plan, const char *what, size_t bytes,
                               spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                          "no memory for %.64s of %s, %zu bytes; a method that converts nothing "
                          "(see " SPMV_OPTIONS_WORD ".method) needs less", what, plan->module->name,
                          bytes);
}

spmv_status spmv_layout_size(const spmv_module *module, const spmv_csr *csr, int32_t val_type,
                             const int64_t setting[SPMV_MAX_SETTINGS], spmv_layout *layout,
                             spmv_error *err)
{
    const size_t bytes = module->ops->sizing_bytes;
    void *scratch = bytes > 0 ? spmv_memory_alloc(bytes) : NULL;
    spmv_status status;

    if (bytes > 0 && scratch == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                              "no memory for scratch of %.64s, %zu bytes, to size its layout",
                              module->name, bytes);
    status = spmv_layout_size_with(module, csr, val_type, setting, scratch, layout, err);
    spmv_memory_free(scratch);
    return status;
}

static spmv_status allocate_arrays(spmv_core *plan, spmv_error *err)
{
    for (int32_t i = 0; i < plan->layout.array_count; i++) {
        spmv_array *array = &plan->layout.array[i];

        if (array->bytes == 0)
            continue;
        /* Values are streamed as a whole; other arrays may be sparsely used. */
        if (plan->module->program == NULL && (plan->layout.value_arrays >> i & 1) != 0)
            array->data = spmv_memory_alloc_streamed(array->bytes);
        else
            array->data = spmv_plan_alloc(plan, array->bytes);
        if (array->data == NULL)
            return spmv_storage_lacks(plan, array->name != NULL ? array->name : "an array",
                                      array->bytes, err);
        plan->layout_bytes += array->bytes;
    }
    return SPMV_OK;
}

static spmv_status allocate_workspace(spmv_core *plan, spmv_error *err)
{
    const size_t bytes = plan->layout.workspace_bytes;

    /* Workspaces of a device are in the slots of its plan. */
    if (bytes == 0 || plan->module->program != NULL)
        return SPMV_OK;
    plan->workspace = spmv_memory_alloc(bytes);
    return plan->workspace != NULL ? SPMV_OK
                                   : spmv_storage_lacks(plan, "the workspace", bytes, err);
}

/* ---- the caller's arrays --------------------------------------------------------------------- */

static const void *copy_array(spmv_core *plan, int array, const void *source, size_t bytes)
{
    plan->copy[array] = spmv_plan_alloc(plan, bytes);
    if (plan->copy[array] != NULL) {
        spmv_parallel_copy(&plan->threads, plan->copy[array], source, bytes);
        plan->layout_bytes += bytes;
    }
    return plan->copy[array];
}

/* Replaces the borrowed arrays by copies. */
static spmv_status copy_borrowed(spmv_core *plan, spmv_error *err)
{
    spmv_csr *csr = &plan->layout.csr;
    const int32_t borrows = plan->layout.borrows;
    const size_t row_ptr_bytes = ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type);
    const size_t col_idx_bytes = (size_t)csr->nnz * sizeof(int32_t);
    const size_t val_bytes = (size_t)csr->nnz * spmv_value_bytes(csr->value_type);

    if ((borrows & SPMV_BORROWS_ROW_PTR) != 0 &&
        (csr->row_ptr = copy_array(plan, SPMV_ROW_PTR, csr->row_ptr, row_ptr_bytes)) == NULL)
        return spmv_storage_lacks(plan, "a copy of row_ptr", row_ptr_bytes, err);
    if ((borrows & SPMV_BORROWS_COL_IDX) != 0 &&
        (csr->col_idx = (const int32_t *)copy_array(plan, SPMV_COL_IDX, csr->col_idx,
                                                    col_idx_bytes)) == NULL)
        return spmv_storage_lacks(plan, "a copy of col_idx", col_idx_bytes, err);
    if ((borrows & SPMV_BORROWS_VAL) != 0 &&
        (csr->val = copy_array(plan, SPMV_VAL, csr->val, val_bytes)) == NULL)
        return spmv_storage_lacks(plan, "a copy of val", val_bytes, err);
    return SPMV_OK;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

spmv_status spmv_storage_create(spmv_core *plan, int copy, spmv_error *err)
{
    spmv_status status;

    if ((status = allocate_arrays(plan, err)) != SPMV_OK ||
        (status = allocate_workspace(plan, err)) != SPMV_OK)
        return status;
    return copy ? copy_borrowed(plan, err) : SPMV_OK;
}

void spmv_storage_forget(spmv_core *plan)
{
    spmv_csr *csr = &plan->layout.csr;
    const int32_t borrows = plan->layout.borrows;

    if ((borrows & SPMV_BORROWS_ROW_PTR) == 0)
        csr->row_ptr = NULL;
    if ((borrows & SPMV_BORROWS_COL_IDX) == 0)
        csr->col_idx = NULL;
    if ((borrows & SPMV_BORROWS_VAL) == 0)
        csr->val = NULL;
}

void spmv_core_clear(spmv_core *plan)
{
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        spmv_plan_release(plan, plan->layout.array[i].data);
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++) {
        spmv_plan_release(plan, plan->copy[i]);
        plan->copy[i] = NULL;
    }
    spmv_memory_free(plan->workspace);
    plan->workspace = NULL;
    plan->layout_bytes = 0;
    memset(&plan->layout, 0, sizeof plan->layout);
}
