/* operands.h: the memory of a multiplication, of one or several vectors: x, y and a workspace of
 * the caller's. What makes it valid is decided here, for all functions that multiply. */
#ifndef SPMV_OPERANDS_H
#define SPMV_OPERANDS_H

#include "runtime/core/ranges.h"

typedef struct spmv_operands {
    size_t x_bytes, y_bytes;     /* from the first value to behind the last one */
    uintptr_t misaligned;        /* bits that no address of x or y may have */
    int interleave;              /* no value of x is one of y, though their memory may overlap */
} spmv_operands;

/* Of one vector. */
spmv_operands spmv_operands_of(const spmv_layout *layout, const spmv_method_ops *ops);

/* Checks x and y: SPMV_INVALID_ARGUMENT or SPMV_ALIASING. x is only read, so it may overlap the
 * arrays of the layout; it is not even read if alpha is 0. Inline, because it is a good part of the
 * time of a small multiplication. */
static inline spmv_status spmv_operands_check(const spmv_operands *o, const spmv_ranges *layout,
                                              double alpha, const void *x, const void *y)
{
    const spmv_range x_range = {(uintptr_t)x, x != NULL ? o->x_bytes : 0};
    const uintptr_t to = (uintptr_t)y;

    if (((x_range.begin | to) & o->misaligned) != 0 ||
        (x == NULL && alpha != 0 && o->x_bytes > 0) || (y == NULL && o->y_bytes > 0))
        return SPMV_INVALID_ARGUMENT;
    if (o->y_bytes > 0 && ((spmv_range_reaches(&x_range, to, o->y_bytes) && !o->interleave) ||
                           spmv_ranges_reach(layout, to, o->y_bytes)))
        return SPMV_ALIASING;
    return SPMV_OK;
}

/* Checks a workspace of the caller's, which may be NULL, beside checked x and y. Which calls are
 * valid must not depend on the method, so its alignment counts even if no workspace is needed. */
spmv_status spmv_workspace_check(const void *workspace, size_t bytes, const spmv_operands *o,
                                 const spmv_ranges *layout, const void *x, const void *y);

#endif
