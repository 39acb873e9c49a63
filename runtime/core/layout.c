/* layout.c: see layout.h. Thread-safe: no shared state. */
#include "runtime/core/layout.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/overlap.h"

#if !SPMV_BUNDLE
#include <float.h>
#endif
#include <string.h>

#if !SPMV_BUNDLE

/* Whether `index`, which is permutes_y or permutes_x, is 0 or names an array of the layout. */
static int is_array(const spmv_layout *layout, int32_t index)
{
    return index >= 0 && index <= layout->array_count;
}

/* Whether that array has room for `count` indices. */
static int has_numbers(const spmv_layout *layout, int32_t index, int64_t count)
{
    return index == 0 || layout->array[index - 1].bytes / sizeof(int32_t) >= (size_t)count;
}

/* The first fault of the layout that a module's layout_size wrote. NULL: none. */
static const char *layout_fault(const spmv_module *module, const spmv_layout *layout)
{
    const int structure = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX;
    const int all = structure | SPMV_BORROWS_VAL;

    if (layout->array_count < 0 || layout->array_count > SPMV_MAX_ARRAYS)
        return "array_count is out of range";
    if ((layout->borrows & ~all) != 0)
        return "borrows has unknown bits";
    if (!is_array(layout, layout->permutes_y))
        return "permutes_y is no array";
    if (!has_numbers(layout, layout->permutes_y, spmv_layout_y_count(layout, module->ops)))
        return "permutes_y is an array of less numbers than y has";
    if (!is_array(layout, layout->permutes_x))
        return "permutes_x is no array";
    if (!has_numbers(layout, layout->permutes_x, spmv_layout_x_count(layout, module->ops)))
        return "permutes_x is an array of less numbers than x has";
    if (module->ops->transposes && module->program != NULL)
        return "it transposes and has a program, whose vectors are those of csr";
    if (module->ops->symmetric && (module->program != NULL ||
                                   (layout->borrows & structure) != structure))
        return "it is for symmetric matrices, but has a program, or does not borrow row_ptr and "
               "col_idx";
    if (!(layout->cost >= 0 && layout->cost <= DBL_MAX))
        return "cost is not a number of bytes";
    if (!(layout->build_cost >= 0 && layout->build_cost <= DBL_MAX))
        return "build_cost is not a number of bytes";
    return NULL;
}

/* Checks what layout_size wrote, and takes back what it must not write. */
static spmv_status check_layout(const spmv_module *module, const spmv_csr *csr, int32_t val_type,
                                const int64_t setting[SPMV_MAX_SETTINGS], spmv_layout *layout,
                                spmv_error *err)
{
    const char *fault;

    layout->csr = *csr;
    layout->val_type = val_type;
    memcpy(layout->setting, setting, sizeof layout->setting);
    fault = layout_fault(module, layout);
    if (fault != NULL)
        return spmv_error_set(err, SPMV_ABI_MISMATCH, "%.64s breaks the module contract: %s",
                              module->name, fault);
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        layout->array[i].data = NULL;
    return SPMV_OK;
}

#endif

void spmv_initial_settings(const spmv_module *module, int64_t setting[SPMV_MAX_SETTINGS])
{
    for (int32_t i = 0; i < SPMV_MAX_SETTINGS; i++)
        setting[i] = i < module->ops->setting_count ? module->ops->settings[i].initial : 0;
}

/* Calls layout_size, with scratch of ops->sizing_bytes. */
static spmv_status call_layout_size(const spmv_module *module, void *scratch, spmv_layout *layout,
                                    spmv_error *err)
{
    spmv_status status;

    layout->scratch = scratch;
    status = module->ops->layout_size(layout);
    layout->scratch = NULL;
#if !SPMV_BUNDLE
    if (!spmv_status_is_known(status))
        return spmv_error_set(err, SPMV_ABI_MISMATCH, "%.64s breaks the module contract: it "
                              "answers with status %d, which is none", module->name, (int)status);
#endif
    if (status != SPMV_OK)
        return spmv_error_set(err, status, "%.64s does not take this matrix: %s", module->name,
                              spmv_status_text(status));
    return SPMV_OK;
}

spmv_status spmv_layout_size_with(const spmv_module *module, const spmv_csr *csr, int32_t val_type,
                                  const int64_t setting[SPMV_MAX_SETTINGS], void *scratch,
                                  spmv_layout *layout, spmv_error *err)
{
    spmv_status status;

    memset(layout, 0, sizeof *layout);
    memcpy(layout->setting, setting, sizeof layout->setting);
    layout->csr = *csr;
    layout->val_type = val_type;
    status = call_layout_size(module, scratch, layout, err);
    if (status != SPMV_OK)
        return status;
#if !SPMV_BUNDLE
    status = check_layout(module, csr, val_type, setting, layout, err);
#endif
    return status;
}

#if !SPMV_BUNDLE_STATIC
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
#endif

int spmv_layout_overlaps(const spmv_layout *layout, const void *memory, size_t bytes)
{
    for (int32_t i = 0; i < layout->array_count; i++)
        if (spmv_do_overlap(memory, bytes, layout->array[i].data, layout->array[i].bytes))
            return 1;
    return 0;
}

spmv_borrowed spmv_layout_borrowed(const spmv_layout *layout, int which)
{
    const spmv_csr *csr = &layout->csr;
    const struct {
        int32_t borrowed;
        spmv_borrowed array;
    } arrays[SPMV_CSR_ARRAYS] = {        /* in the order of `which` */
        {SPMV_BORROWS_ROW_PTR,
         {"row_ptr", csr->row_ptr,
          ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type)}},
        {SPMV_BORROWS_COL_IDX,
         {"col_idx", csr->col_idx, (size_t)csr->nnz * sizeof(int32_t)}},
        {SPMV_BORROWS_VAL,
         {"val", csr->val, (size_t)csr->nnz * spmv_value_bytes(csr->value_type)}},
    };
    spmv_borrowed array = arrays[which].array;

    if (!(layout->borrows & arrays[which].borrowed))
        array.bytes = 0;
    return array;
}

int64_t spmv_layout_x_count(const spmv_layout *layout, const spmv_method_ops *ops)
{
    return ops->transposes ? layout->csr.rows : layout->csr.cols;
}

int64_t spmv_layout_y_count(const spmv_layout *layout, const spmv_method_ops *ops)
{
    return ops->transposes ? layout->csr.cols : layout->csr.rows;
}

size_t spmv_layout_x_bytes(const spmv_layout *layout)
{
    return (size_t)layout->csr.cols * spmv_value_bytes(layout->csr.value_type);
}

size_t spmv_layout_y_bytes(const spmv_layout *layout)
{
    return (size_t)layout->csr.rows * spmv_value_bytes(layout->csr.value_type);
}

int spmv_layout_has_host_parts(const spmv_layout *layout)
{
    for (int32_t i = 0; i < layout->part_count; i++)
        if (layout->part[i].host)
            return 1;
    return 0;
}
