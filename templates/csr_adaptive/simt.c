/* CSR-Adaptive (Greathouse & Daga, SC 2014; Daga & Greathouse, HiPC 2015) on work-items.
 *
 * The host code draws the row blocks. Each block has a work-group, and its nonzeros are distributed
 * cyclically: work-item i reads nonzeros i, i + WORK_GROUP_SIZE, ... of the block, whatever their
 * rows, so that loads coalesce.
 *
 *   CSR-Stream   the products of all nonzeros of the block go to local memory. Rows are then added
 *                from there: many rows by one work-item each (the papers' scalar reduction), few
 *                rows by 2^n work-items each, with the largest n for which the group suffices
 *                (their logarithmic reduction).
 *   CSR-Vector   the work-items are distributed over rows in the same way, and read the nonzeros
 *                themselves; a single row has the whole group. (In the papers the group adds one
 *                row after the other; two or three rows at once wait only once for memory and for
 *                each other.)
 *   CSR-VectorL  a part of one row, treated as a row; csr_adaptive_long_rows adds the parts.
 *
 * Gaps of the papers and their code closed here: alpha and beta; rows without nonzeros; only
 * barriers order the work-items; and a second kernel adds the parts of a long row, in an order that
 * depends on the matrix and the parameters only, where the papers use atomic additions behind a
 * flag on which groups wait.
 *
 * The bits differ from the bits on CPUs: each work-item of a row forms a sum, and parts are not
 * added one by one. The order of additions is fixed here too.
 */
#include "../prelude/simt.h"
#include "../common/simt_scale.h"
#include "../common/simt_item_sum.h"
#include "../common/simt_reduce.h"
#include "layout_kinds.h"

/* ---- CSR-Stream ---------------------------------------------------------------------------- */

/* product[i] = val[i] * its x, for the nonzeros of a block. A pass loads all of its values and
 * columns, then x. Beyond the last nonzero it loads the last one again and stores nothing. */
DEVICE void fill_products(GLOBAL const i32 *col, GLOBAL const real *val, GLOBAL const real *xb,
                          i32 count, i32 item, LOCAL real *product)
{
    enum { PASS_LOADS = NNZ_PER_WG / WORK_GROUP_SIZE < LOADS ? NNZ_PER_WG / WORK_GROUP_SIZE
                                                             : LOADS };

    for (i32 from = item; from - item < count; from += PASS_LOADS * WORK_GROUP_SIZE) {
        i32 column[PASS_LOADS];
        real value[PASS_LOADS];

        UNROLL
        for (i32 i = 0; i < PASS_LOADS; i++) {
            const i32 at = from + i * WORK_GROUP_SIZE;
            column[i] = i32_stream(col, at < count ? at : count - 1);
            value[i] = r_stream(val, at < count ? at : count - 1);
        }
        UNROLL
        for (i32 i = 0; i < PASS_LOADS; i++)
            value[i] = r_mul(value[i], x_read(xb, column[i]));
        UNROLL
        for (i32 i = 0; i < PASS_LOADS; i++) {
            if (from + i * WORK_GROUP_SIZE < count)
                product[from + i * WORK_GROUP_SIZE] = value[i];
        }
    }
}

/* The sum of products k, k + stride, ... before end. */
DEVICE real product_sum(LOCAL const real *product, i32 k, i32 end, i32 stride)
{
    real sum = 0;

    for (; k < end; k += stride)
        sum = sum + product[k];
    return sum;
}

/* Adds row r of a block, whose first nonzero is `begin` in the caller's base, by one work-item. */
DEVICE void add_row(GLOBAL const offset *row_ptr, i64 begin, GLOBAL real *y, real alpha, real beta,
                    i64 r, LOCAL const real *product)
{
    const i32 first = (i32)(row_ptr[r] - begin);
    const i32 end = (i32)(row_ptr[r + 1] - begin);
    y_store(y, (i32)r, product_sum(product, first, end, 1), alpha, beta);
}

/* ---- all kinds ----------------------------------------------------------------------------- */

/* Log2 of the number of work-items that each row gets, the largest for which the group suffices. */
DEVICE i32 log2_items(i32 rows)
{
    i32 times = 0;

    while ((rows << (times + 1)) <= WORK_GROUP_SIZE)
        times++;
    return times;
}

/* The kind of a block decides where values come from and where sums go. The barriers are the same
 * for all kinds, since some OpenCL drivers mishandle a barrier in a branch, even if the whole group
 * takes it. */
KERNEL void csr_adaptive_blocks(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                                LENGTH("nnz") GLOBAL const i32 *RESTRICT col_idx,
                                LENGTH("nnz") GLOBAL const real *RESTRICT val,
                                LENGTH("cols") GLOBAL const real *RESTRICT x,
                                LENGTH("rows") GLOBAL real *RESTRICT y,
                                LENGTH("blocks + 1") GLOBAL const i32 *RESTRICT row_block,
                                LENGTH("blocks") GLOBAL const i32 *RESTRICT block_kind,
                                LENGTH("blocks") GLOBAL real *RESTRICT part_sum,
                                real alpha, real beta, i32 base)
{
    LOCAL_MEMORY real product[NNZ_PER_WG];   /* WORK_GROUP_SIZE at least */
    const i32 item = item_index();
    const i64 block = group_index();
    const i32 kind = block_kind[block];
    const i32 row = row_block[block];
    const i32 end = row_block[block + 1];
    const bool is_part = kind >= KIND_VECTOR_L;
    const i32 rows = is_part ? 1 : end - row;
    const i32 times = kind == KIND_STREAM && rows >= SCALAR_ROWS ? 0 : log2_items(rows);
    const i32 items = 1 << times;            /* of each row */
    const i32 lane = item & (items - 1);
    const i64 r = (i64)row + (item >> times);
    GLOBAL const real *xb = x_rebase(x, base);
    i64 begin = row_ptr[row];                /* in the caller's base */
    i32 first = 0;                           /* first nonzero of the row, relative to `begin` */
    i32 last = 0;                            /* end of the row's nonzeros */
    real sum = 0;

    if (is_part) {
        begin += (i64)(kind - KIND_VECTOR_L) * LONG_ROW_PART;
        last = (i32)i64_min(LONG_ROW_PART, row_ptr[row + 1] - begin);
    } else if (r < end) {
        first = (i32)(row_ptr[r] - begin);
        last = (i32)(row_ptr[r + 1] - begin);
    }
    col_idx += begin - base;
    val += begin - base;

    if (kind == KIND_STREAM)
        fill_products(col_idx, val, xb, (i32)(row_ptr[end] - begin), item, product);
    group_barrier();
    if (kind == KIND_STREAM) {
        /* If there are more rows than work-items, each work-item adds several. */
        for (i64 further = r + WORK_GROUP_SIZE; further < end; further += WORK_GROUP_SIZE)
            add_row(row_ptr, begin, y, alpha, beta, further, product);
        sum = product_sum(product, first + lane, last, items);
    } else {
        sum = sum_products(0, col_idx, val, xb, first + lane, last, items);
    }
    group_barrier();             /* all products are read: their memory is free */
    sum = neighbour_sum(sum, product, item, items);
    if (lane == 0) {
        if (is_part)
            part_sum[block] = sum;
        else if (r < end)
            y_store(y, (i32)r, sum, alpha, beta);
    }
}

/* Adds the parts of long rows. A row has long_row_items work-items, a power of two. The parts are
 * distributed cyclically, then the sums of the work-items are added by halving. */
KERNEL void csr_adaptive_long_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                                   LENGTH("rows") GLOBAL real *RESTRICT y,
                                   LENGTH("blocks + 1") GLOBAL const i32 *RESTRICT row_block,
                                   LENGTH("long_rows") GLOBAL const i64 *RESTRICT long_block,
                                   LENGTH("blocks") GLOBAL const real *RESTRICT part_sum,
                                   real alpha, real beta, i32 long_rows, i32 long_row_items)
{
    LOCAL_MEMORY real part[WORK_GROUP_SIZE];
    const i32 item = item_index();
    const i32 lane = item & (long_row_items - 1);
    const i64 i = (group_index() * WORK_GROUP_SIZE + item) / long_row_items;
    i32 row = 0;
    real sum = 0;

    if (i < long_rows) {
        const i64 block = long_block[i];
        row = row_block[block];
        const i64 parts =
            i64_ceil_div((i64)row_ptr[row + 1] - (i64)row_ptr[row], LONG_ROW_PART);
        sum = sum_values(part_sum, block + lane, block + parts, long_row_items);
    }
    sum = neighbour_sum(sum, part, item, long_row_items);
    if (i < long_rows && lane == 0)
        y_store(y, row, sum, alpha, beta);
}
