/* columns.h: the multiplication of several vectors, in stages.
 *
 * Modules with launches_columns multiply up to SPMV_MAX_COLUMNS vectors at once, from a row-major
 * x, so a column-major x is copied first. For other modules, and on devices, the vectors are
 * multiplied one by one, and row-major vectors are copied before and after, 8 at a time.
 */
#ifndef SPMV_COLUMNS_H
#define SPMV_COLUMNS_H

#include "runtime/core/dense.h"
#include "runtime/core/operands.h"
#include "runtime/core/plan.h"

/* The arguments of spmv_execute_columns. */
typedef struct spmv_columns_arguments {
    spmv_order order;
    int32_t columns;
    double alpha;
    const void *x;
    int64_t ldx;
    double beta;
    void *y;
    int64_t ldy;
} spmv_columns_arguments;

typedef struct spmv_columns {
    const spmv_core *plan;
    spmv_job job;                /* alpha and beta */
    spmv_dense x, y;
    spmv_operands operands;
    spmv_ranges ranges;          /* of the layout */
    size_t workspace_bytes;      /* the sum of its parts, in this order: */
    size_t module_bytes;         /*     the module's own workspace */
    size_t x_bytes;              /*     a copy of columns of x */
    size_t y_bytes;              /*     a copy of columns of y */
} spmv_columns;

/* Bytes of workspace for `columns` vectors. SIZE_MAX: no memory is that large. */
size_t spmv_columns_workspace_size(const spmv_core *plan, spmv_order order, int32_t columns);

/* Checks the arguments, and fills *run. */
spmv_status spmv_columns_begin(const spmv_core *plan, const spmv_columns_arguments *arguments,
                               spmv_columns *run);

/* Checks a workspace of run->workspace_bytes, which is the caller's. */
spmv_status spmv_columns_check_workspace(const spmv_columns *run, const void *workspace);

/* workspace has run->workspace_bytes bytes. */
spmv_status spmv_columns_multiply(const spmv_columns *run, void *workspace);

#endif
