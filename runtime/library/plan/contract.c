/* contract.c: whether the layouts of modules keep the module contract, for core/layout.h. A bundle
 * trusts its modules. Thread-safe: no shared state. */
#include "runtime/core/layout.h"

#include "runtime/base/error.h"

#include <float.h>

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

int spmv_layout_is_sound(const spmv_module *module, const spmv_layout *layout, spmv_status status,
                         spmv_error *err)
{
    const char *fault = status == SPMV_OK ? layout_fault(module, layout) : NULL;

    if (!spmv_status_is_known(status))
        (void)spmv_error_set(err, SPMV_ABI_MISMATCH, "%.64s breaks the module contract: it "
                             "answers with status %d, which is none", module->name, (int)status);
    if (fault != NULL)
        (void)spmv_error_set(err, SPMV_ABI_MISMATCH, "%.64s breaks the module contract: %s",
                             module->name, fault);
    return spmv_status_is_known(status) && fault == NULL;
}
