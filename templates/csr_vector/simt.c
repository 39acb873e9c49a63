/* CSR-vector on work-items: several work-items for each row (Bell & Garland, SC 2009: the vector
 * kernel).
 *
 * The host code chooses the number of work-items of a row by the average length of rows: a power of
 * two, at most LANES; a whole group with WHOLE_GROUP. Neighbouring work-items read neighbouring
 * nonzeros, each ACCUMULATORS of them at once, to independent sums. These are added in a fixed
 * order at the row's end; then the sums of the work-items are added by halving. Rows that are long
 * for that number are left to a second kernel, in which a work-group adds a row.
 */
#include "../prelude/simt.h"
#include "../common/simt_scale.h"
#include "../common/simt_reduce.h"
#include "layout_lanes.h"

/* The sum of the products of nonzeros k, k + stride, ... before end. In the last pass, the first
 * nonzero of the pass replaces those past the end, and is not added again. */
DEVICE real lane_sum(GLOBAL const i32 *col, GLOBAL const real *val, GLOBAL const real *xb, i64 k,
                     i64 end, i32 stride)
{
    real sum[ACCUMULATORS];

    UNROLL
    for (i32 a = 0; a < ACCUMULATORS; a++)
        sum[a] = 0;
    for (; k < end; k += ACCUMULATORS * stride) {
        const i32 left = (i32)i64_min(end - k, ACCUMULATORS * stride);
        GLOBAL const i32 *column_at = col + k;
        GLOBAL const real *value_at = val + k;
        i32 column[ACCUMULATORS];
        real value[ACCUMULATORS];

        UNROLL
        for (i32 a = 0; a < ACCUMULATORS; a++) {
            const i32 at = a * stride < left ? a * stride : 0;
            column[a] = i32_stream(column_at, at);
            value[a] = r_stream(value_at, at);
        }
        UNROLL
        for (i32 a = 0; a < ACCUMULATORS; a++) {
            const real xk = x_read(xb, column[a]);
            sum[a] = a * stride < left ? r_fma(value[a], xk, sum[a]) : sum[a];
        }
    }
    UNROLL
    for (i32 a = 1; a < ACCUMULATORS; a++)
        sum[0] = sum[0] + sum[a];
    return sum[0];
}

/* 2^log2_lanes work-items add each row. */
KERNEL void csr_vector_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                            LENGTH("nnz") GLOBAL const i32 *RESTRICT col_idx,
                            LENGTH("nnz") GLOBAL const real *RESTRICT val,
                            LENGTH("cols") GLOBAL const real *RESTRICT x,
                            LENGTH("rows") GLOBAL real *RESTRICT y,
                            real alpha, real beta, i32 base, i32 rows, i32 log2_lanes)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    const i32 item = item_index();
    const i32 lanes = 1 << log2_lanes;
    const i32 lane = item & (lanes - 1);
    const i64 r = group_index() * (WORK_GROUP_SIZE >> log2_lanes) + (item >> log2_lanes);
    GLOBAL const real *xb = x_rebase(x, base);
    bool is_short = false;
    real sum = 0;

    if (r < rows) {
        const i64 begin = row_ptr[r] - base;
        const i64 end = row_ptr[r + 1] - base;

        is_short = end - begin <= LONGEST_OF_LANE << log2_lanes;
        if (is_short && SCALAR_BELOW && end - begin < SCALAR_BELOW) {
            for (i64 k = begin; k < end && lane == 0; k++)
                sum = r_fma(val[k], x_read(xb, col_idx[k]), sum);
        } else if (is_short) {
            sum = lane_sum(col_idx, val, xb, begin + lane, end, lanes);
        }
    }
    sum = SUBGROUP_SIZE > 1 && LANES <= SUBGROUP_SIZE && !WHOLE_GROUP
              ? subgroup_sum(sum, lanes) : neighbour_sum(sum, part, item, lanes);
    if (is_short && lane == 0)
        y_store(y, (i32)r, sum, alpha, beta);
}

/* The rows that csr_vector_rows leaves: a work-group adds each. */
KERNEL void csr_vector_long_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                                 LENGTH("nnz") GLOBAL const i32 *RESTRICT col_idx,
                                 LENGTH("nnz") GLOBAL const real *RESTRICT val,
                                 LENGTH("cols") GLOBAL const real *RESTRICT x,
                                 LENGTH("rows") GLOBAL real *RESTRICT y,
                                 LENGTH("long_rows") GLOBAL const i32 *RESTRICT long_row,
                                 real alpha, real beta, i32 base)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    const i32 item = item_index();
    const i32 row = long_row[group_index()];
    const i64 begin = row_ptr[row] - base;
    const i64 end = row_ptr[row + 1] - base;
    real sum = lane_sum(col_idx, val, x_rebase(x, base), begin + item, end, WORK_GROUP_SIZE);

    sum = group_sum(sum, part, item);
    if (item == 0)
        y_store(y, row, sum, alpha, beta);
}
