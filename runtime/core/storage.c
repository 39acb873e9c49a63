/* storage.c: see storage.h. Plans share nothing; each belongs to one thread while it is made. */
#include "runtime/core/storage.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/types.h"
#include "runtime/core/threads/parallel.h"

#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
#include "runtime/device/device_memory.h"
#endif
#if !SPMV_BUNDLE
#include "runtime/library/threads/process_lock.h"
#endif

/* The caller's options struct, for error texts. */
#if SPMV_BUNDLE
#define OPTIONS "spmv_matrix_options"
#else
#define OPTIONS "spmv_plan_options"
#endif

spmv_status spmv_storage_lacks(const spmv_plan *plan, const char *what, size_t bytes,
                               spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                          "no memory for %.64s of %s, %zu bytes; a method that converts nothing "
                          "(see " OPTIONS ".method) needs less", what, plan->module->name, bytes);
}

/* Memory that the plan's device sees, if it can share memory. */
static void *allocate(const spmv_plan *plan, size_t bytes)
{
#if SPMV_BUNDLE && !SPMV_BUNDLE_DEVICE
    (void)plan;
    return spmv_memory_alloc(bytes);
#else
    void *memory;

    return spmv_device_memory_alloc(plan->device, plan->module, bytes, &memory) == SPMV_OK ? memory
                                                                                           : NULL;
#endif
}

static void release(const spmv_plan *plan, void *memory)
{
#if SPMV_BUNDLE && !SPMV_BUNDLE_DEVICE
    (void)plan;
    spmv_memory_free(memory);
#else
    spmv_device_memory_free(plan->device, memory);
#endif
}

static spmv_status allocate_arrays(spmv_plan *plan, spmv_error *err)
{
    for (int32_t i = 0; i < plan->layout.array_count; i++) {
        spmv_array *array = &plan->layout.array[i];

        if (array->bytes == 0)
            continue;
        /* Values are streamed as a whole; other arrays may be sparsely used. */
        if (plan->module->program == NULL && (plan->layout.value_arrays >> i & 1) != 0)
            array->data = spmv_memory_alloc_streamed(array->bytes);
        else
            array->data = allocate(plan, array->bytes);
        if (array->data == NULL)
            return spmv_storage_lacks(plan, array->name != NULL ? array->name : "an array",
                                      array->bytes, err);
        plan->layout_bytes += array->bytes;
    }
    return SPMV_OK;
}

#if !SPMV_BUNDLE
static void zero_arrays(const spmv_plan *plan)
{
    for (int32_t i = 0; i < plan->layout.array_count; i++)
        spmv_parallel_zero(&plan->threads, plan->layout.array[i].data,
                           plan->layout.array[i].bytes);
}
#endif

static spmv_status allocate_scratch(spmv_plan *plan, spmv_error *err)
{
    const size_t bytes = plan->layout.workspace_bytes;

    plan->scratch = (spmv_scratch *)spmv_memory_alloc_zeroed(sizeof *plan->scratch);
#if SPMV_BUNDLE
    if (plan->scratch == NULL)
#else
    if (plan->scratch == NULL || !spmv_forks_count())
#endif
        return spmv_storage_lacks(plan, "the workspace's lock", sizeof *plan->scratch, err);
    /* Workspaces of a device are in the slots of its plan. */
    if (bytes == 0 || plan->module->program != NULL)
        return SPMV_OK;
    plan->scratch->memory = spmv_memory_alloc(bytes);
    return plan->scratch->memory != NULL ? SPMV_OK
                                         : spmv_storage_lacks(plan, "the workspace", bytes, err);
}

/* ---- the caller's arrays --------------------------------------------------------------------- */

static const void *copy_array(spmv_plan *plan, int array, const void *source, size_t bytes)
{
    plan->copy[array] = allocate(plan, bytes);
    if (plan->copy[array] != NULL) {
        spmv_parallel_copy(&plan->threads, plan->copy[array], source, bytes);
        plan->layout_bytes += bytes;
    }
    return plan->copy[array];
}

/* Replaces the borrowed arrays by copies. */
static spmv_status copy_borrowed(spmv_plan *plan, spmv_error *err)
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

spmv_status spmv_storage_create(spmv_plan *plan, const spmv_options *options, spmv_error *err)
{
    spmv_status status;

    if ((status = allocate_arrays(plan, err)) != SPMV_OK ||
        (status = allocate_scratch(plan, err)) != SPMV_OK)
        return status;
#if !SPMV_BUNDLE
    if (options->savable)
        zero_arrays(plan);
#endif
    return options->copy ? copy_borrowed(plan, err) : SPMV_OK;
}

void spmv_storage_forget(spmv_plan *plan)
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

void spmv_storage_destroy(spmv_plan *plan)
{
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        release(plan, plan->layout.array[i].data);
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        release(plan, plan->copy[i]);
    if (plan->scratch != NULL) {
        spmv_memory_free(plan->scratch->memory);
        spmv_memory_free(plan->scratch->columns_memory);
#if !SPMV_BUNDLE
        spmv_shares_destroy(plan->scratch->shares);
#endif
    }
    spmv_memory_free(plan->scratch);
}
