/* layout.c: see layout.h. Nothing is shared; everything may run at once. */
#include "layout.h"

#include "error.h"
#include "overlap.h"

#include <float.h>
#include <string.h>

/* Whether permutes_y or permutes_x, `index`, is none, or an array of the layout. */
static int is_array(const spmv_layout *layout, int32_t index)
{
    return index >= 0 && index <= layout->array_count;
}

/* Has that array a number for each of `count` things? */
static int has_numbers(const spmv_layout *layout, int32_t index, int64_t count)
{
    return index == 0 || layout->array[index - 1].bytes / sizeof(int32_t) >= (size_t)count;
}

/* What a module's layout_size may not answer; NULL when it is sound. */
static const char *layout_fault(const spmv_layout *layout)
{
    const int all = SPMV_BORROWS_ROW_PTR | SPMV_BORROWS_COL_IDX | SPMV_BORROWS_VAL;

    if (layout->array_count < 0 || layout->array_count > SPMV_MAX_ARRAYS)
        return "array_count is out of range";
    if ((layout->borrows & ~all) != 0)
        return "borrows has unknown bits";
    if (!is_array(layout, layout->permutes_y))
        return "permutes_y is no array";
    if (!has_numbers(layout, layout->permutes_y, layout->csr.rows))
        return "permutes_y is an array of less than rows numbers";
    if (!is_array(layout, layout->permutes_x))
        return "permutes_x is no array";
    if (!has_numbers(layout, layout->permutes_x, layout->csr.cols))
        return "permutes_x is an array of less than cols numbers";
    if (!(layout->cost >= 0 && layout->cost <= DBL_MAX))
        return "cost is not a number of bytes";
    return NULL;
}

spmv_status spmv_layout_size(const spmv_module *module, const spmv_csr *csr,
                             const int64_t setting[SPMV_MAX_SETTINGS], spmv_layout *layout,
                             spmv_error *err)
{
    const char *fault;
    spmv_status status;

    memset(layout, 0, sizeof *layout);
    memcpy(layout->setting, setting, sizeof layout->setting);
    layout->csr = *csr;
    status = module->ops->layout_size(layout);
    if (!spmv_status_is_known(status))
        return spmv_error_set(err, SPMV_ABI_MISMATCH, "%.64s breaks the module contract: it "
                              "answers with status %d, which is none", module->name, (int)status);
    if (status != SPMV_OK)
        return spmv_error_set(err, status, "%.64s does not take this matrix: %s", module->name,
                              spmv_status_text(status));
    layout->csr = *csr;          /* the module has no business there, */
    memcpy(layout->setting, setting, sizeof layout->setting);
    fault = layout_fault(layout);
    if (fault != NULL)
        return spmv_error_set(err, SPMV_ABI_MISMATCH, "%.64s breaks the module contract: %s",
                              module->name, fault);
    for (int i = 0; i < SPMV_MAX_ARRAYS; i++)
        layout->array[i].data = NULL;            /* nor there */
    return SPMV_OK;
}

int spmv_layout_overlaps(const spmv_layout *layout, const void *memory, size_t bytes)
{
    for (int32_t i = 0; i < layout->array_count; i++)
        if (spmv_do_overlap(memory, bytes, layout->array[i].data, layout->array[i].bytes))
            return 1;
    return 0;
}
