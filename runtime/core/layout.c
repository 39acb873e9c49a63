/* layout.c: see layout.h. Thread-safe: no shared state. */
#include "runtime/core/layout.h"

#include "runtime/base/error.h"
#include "runtime/base/overlap.h"

#include <string.h>

void spmv_initial_settings(const spmv_module *module, int64_t setting[SPMV_MAX_SETTINGS])
{
    for (int32_t i = 0; i < SPMV_MAX_SETTINGS; i++)
        setting[i] = i < module->ops->setting_count ? module->ops->settings[i].initial : 0;
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
    layout->scratch = scratch;
    status = module->ops->layout_size(layout);
    layout->scratch = NULL;
    /* What layout_size must not write is taken back. */
    layout->csr = *csr;
    layout->val_type = val_type;
    memcpy(layout->setting, setting, sizeof layout->setting);
    if (!spmv_layout_is_sound(module, layout, status, err))
        return SPMV_ABI_MISMATCH;
    if (status != SPMV_OK)
        return spmv_error_set(err, status, "%.64s does not take this matrix: %s", module->name,
                              spmv_status_text(status));
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        layout->array[i].data = NULL;
    return SPMV_OK;
}

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
