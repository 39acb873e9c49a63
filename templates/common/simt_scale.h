/* simt_scale.h: y = alpha*A*x + beta*y if alpha is 0 or A has no nonzeros. Neither A nor x is
 * read. */
#ifndef SPMV_COMMON_SIMT_SCALE_H
#define SPMV_COMMON_SIMT_SCALE_H

#include "../prelude/simt.h"

KERNEL void scale_rows(LENGTH("rows") GLOBAL real *RESTRICT y, real alpha, real beta, i32 rows)
{
    const i64 r = group_index() * WORK_GROUP_SIZE + item_index();

    if (r >= rows)
        return;
    if (alpha == 0)
        y_scale(y, (i32)r, beta);
    else
        y_store(y, (i32)r, 0, alpha, beta);
}

#endif
