/* CSR-scalar on work-items: one work-item for each row, one nonzero after the other (Bell &
 * Garland, SC 2009).
 *
 * A baseline of the speculative paper (4.3). It adds in the order of storage. It is slow on GPUs,
 * since neighbouring work-items read addresses that lie a row apart.
 */
#include "../prelude/simt.h"
#include "../common/simt_scale.h"

KERNEL void csr_scalar_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                            LENGTH("nnz") GLOBAL const i32 *RESTRICT col_idx,
                            LENGTH("nnz") GLOBAL const real *RESTRICT val,
                            LENGTH("cols") GLOBAL const real *RESTRICT x,
                            LENGTH("rows") GLOBAL real *RESTRICT y,
                            real alpha, real beta, i32 base, i32 rows)
{
    const i64 r = group_index() * WORK_GROUP_SIZE + item_index();
    GLOBAL const real *xb = x_rebase(x, base);
    real sum = 0;

    if (r >= rows)
        return;
    for (i64 k = row_ptr[r] - base; k < row_ptr[r + 1] - base; k++)
        sum = r_fma(val[k], x_read(xb, col_idx[k]), sum);
    y_store(y, (i32)r, sum, alpha, beta);
}
