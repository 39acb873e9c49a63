/* CSR-vector on work-items: LANES work-items for each row (Bell & Garland, SC 2009: the vector
 * kernel).
 *
 * Neighbouring work-items read neighbouring nonzeros. Each forms ACCUMULATORS independent sums,
 * which are added in a fixed order at the row's end; then the sums of all lanes are added by
 * halving. A CPU with the same number of lanes adds in the same order.
 */
#include "../prelude/simt.h"
#include "../common/simt_scale.h"
#include "../common/simt_reduce.h"

enum { GROUP_ROWS = WORK_GROUP_SIZE / LANES };

KERNEL void csr_vector_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                            LENGTH("nnz") GLOBAL const i32 *RESTRICT col_idx,
                            LENGTH("nnz") GLOBAL const real *RESTRICT val,
                            LENGTH("cols") GLOBAL const real *RESTRICT x,
                            LENGTH("rows") GLOBAL real *RESTRICT y,
                            real alpha, real beta, i32 base, i32 rows)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    const i32 item = item_index();
    const i32 lane = item % LANES;
    const i64 r = group_index() * GROUP_ROWS + item / LANES;
    GLOBAL const real *xb = x_rebase(x, base);
    real sum[ACCUMULATORS];

    UNROLL
    for (i32 a = 0; a < ACCUMULATORS; a++)
        sum[a] = 0;

    if (r < rows) {
        const i64 begin = row_ptr[r] - base;
        const i64 end = row_ptr[r + 1] - base;
        i64 k = begin + lane;

        if (SCALAR_BELOW && end - begin < SCALAR_BELOW) {
            for (i64 j = begin; j < end && lane == 0; j++)
                sum[0] = r_fma(val[j], x_read(xb, col_idx[j]), sum[0]);
            k = end;
        }
        for (; k - lane + ACCUMULATORS * LANES <= end; k += ACCUMULATORS * LANES) {
            UNROLL
            for (i32 a = 0; a < ACCUMULATORS; a++)
                sum[a] = r_fma(val[k + a * LANES], x_read(xb, col_idx[k + a * LANES]), sum[a]);
        }
        for (; k < end; k += LANES)
            sum[0] = r_fma(val[k], x_read(xb, col_idx[k]), sum[0]);
    }

    UNROLL
    for (i32 a = 1; a < ACCUMULATORS; a++)
        sum[0] = sum[0] + sum[a];
    sum[0] = SUBGROUP_SIZE > 1 && LANES <= SUBGROUP_SIZE
                 ? subgroup_sum(sum[0], LANES) : neighbour_sum(sum[0], part, item, LANES);
    if (r < rows && lane == 0)
        y_store(y, (i32)r, sum[0], alpha, beta);
}
