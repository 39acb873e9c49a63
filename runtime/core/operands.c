/* operands.c: see operands.h. Thread-safe: no shared state. */
#include "runtime/core/operands.h"

#include "runtime/base/overlap.h"
#include "runtime/base/types.h"
#include "runtime/core/layout.h"

#include <string.h>

spmv_operands spmv_operands_of(const spmv_layout *layout, const spmv_method_ops *ops)
{
    const spmv_value_type type = layout->csr.value_type;
    spmv_operands o;

    memset(&o, 0, sizeof o);
    o.x_bytes = (size_t)spmv_layout_x_count(layout, ops) * spmv_value_bytes(type);
    o.y_bytes = (size_t)spmv_layout_y_count(layout, ops) * spmv_value_bytes(type);
    o.misaligned = spmv_value_alignment(type) - 1;
    return o;
}

spmv_status spmv_workspace_check(const void *workspace, size_t bytes, const spmv_operands *o,
                                 const spmv_ranges *layout, const void *x, const void *y)
{
    if (!spmv_is_aligned(workspace, SPMV_ALIGNMENT))
        return SPMV_INVALID_ARGUMENT;
    if (workspace != NULL && bytes > 0 &&
        (spmv_do_overlap(workspace, bytes, x, o->x_bytes) ||
         spmv_do_overlap(workspace, bytes, y, o->y_bytes) ||
         spmv_ranges_reach(layout, (uintptr_t)workspace, bytes)))
        return SPMV_ALIASING;
    return SPMV_OK;
}
