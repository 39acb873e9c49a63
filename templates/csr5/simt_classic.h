/* simt_classic.h: the classic segmented sum on work-items. layout_classic.h says what each kernel
 * does. */
#ifndef SPMV_CSR5_SIMT_CLASSIC_H
#define SPMV_CSR5_SIMT_CLASSIC_H

#include "../prelude/simt.h"
#include "layout_classic.h"

/* The number of this work-item in its launch. */
DEVICE i64 launch_item(void)
{
    return group_index() * WORK_GROUP_SIZE + item_index();
}

KERNEL void csr5_classic_clear(LENGTH("nnz") GLOBAL u8 *RESTRICT flag, i64 nnz)
{
    const i64 k = launch_item();

    if (k < nnz)
        flag[k] = 0;
}

KERNEL void csr5_classic_flags(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                               LENGTH("nnz") GLOBAL u8 *RESTRICT flag, i32 base, i32 rows)
{
    const i64 r = launch_item();

    if (r < rows && row_ptr[r] != row_ptr[r + 1])
        flag[row_ptr[r] - base] = 1;
}

KERNEL void csr5_classic_products(LENGTH("nnz") GLOBAL const i32 *RESTRICT col_idx,
                                  LENGTH("nnz") GLOBAL const real *RESTRICT val,
                                  LENGTH("cols") GLOBAL const real *RESTRICT x,
                                  LENGTH("nnz") GLOBAL real *RESTRICT product, i32 base, i64 nnz)
{
    GLOBAL const real *xb = x_rebase(x, base);
    const i64 k = launch_item();

    if (k < nnz)
        product[k] = r_mul(r_stream(val, k), x_read(xb, i32_stream(col_idx, k)));
}

/* Each work-item sums its own nonzeros; then a segmented scan, from the last work-item of the group
 * to the first, gives it the part of its last segment that following work-items have. */
KERNEL void csr5_classic_sums(LENGTH("nnz") GLOBAL const u8 *RESTRICT flag,
                              LENGTH("nnz") GLOBAL real *RESTRICT product,
                              LENGTH("chunks") GLOBAL real *RESTRICT carry,
                              LENGTH("chunks") GLOBAL i64 *RESTRICT head, i64 nnz)
{
    LOCAL_MEMORY real part[2 * WORK_GROUP_SIZE];
    LOCAL_MEMORY u8 closed[2 * WORK_GROUP_SIZE];
    const i32 item = item_index();
    const i64 begin = group_index() * CLASSIC_BLOCK + (i64)item * CLASSIC_STEPS;
    const i64 end = i64_min(begin + CLASSIC_STEPS, nnz);
    i64 own_head = -1;           /* the first nonzero of the last segment that begins here */
    real before = 0;             /* sum of the products before the first flag */
    real sum = 0;
    i32 from = 0;

    for (i64 k = begin; k < end; k++) {
        if (flag[k]) {
            if (own_head < 0)
                before = sum;
            else
                product[own_head] = sum;
            own_head = k;
            sum = 0;
        }
        sum = sum + product[k];
    }

    bool is_closed = own_head >= 0;
    real open = is_closed ? before : sum;

    part[item] = open;
    closed[item] = is_closed;
    group_barrier();
    for (i32 distance = 1; distance < WORK_GROUP_SIZE; distance *= 2) {
        const i32 to = WORK_GROUP_SIZE - from;

        if (!is_closed && item + distance < WORK_GROUP_SIZE) {
            open = open + part[from + item + distance];
            is_closed = closed[from + item + distance] != 0;
        }
        part[to + item] = open;
        closed[to + item] = is_closed;
        group_barrier();
        from = to;
    }

    const bool is_last = item + 1 == WORK_GROUP_SIZE;
    const bool ends_here = !is_last && closed[from + item + 1];

    if (own_head >= 0)
        product[own_head] = is_last ? sum : sum + part[from + item + 1];
    if (own_head >= 0 && !ends_here)
        head[group_index()] = own_head;
    if (item == 0)
        carry[group_index()] = open;
    if (item == 0 && !is_closed)
        head[group_index()] = -1;
}

KERNEL void csr5_classic_carries(LENGTH("nnz") GLOBAL real *RESTRICT product,
                                 LENGTH("chunks") GLOBAL const real *RESTRICT carry,
                                 LENGTH("chunks") GLOBAL const i64 *RESTRICT head, i64 chunks)
{
    const i64 chunk = launch_item();

    if (chunk >= chunks || head[chunk] < 0)
        return;
    real sum = product[head[chunk]];
    for (i64 c = chunk + 1; c < chunks; c++) {
        sum = sum + carry[c];
        if (head[c] >= 0)
            break;
    }
    product[head[chunk]] = sum;
}

KERNEL void csr5_classic_gather(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                                LENGTH("nnz") GLOBAL const real *RESTRICT product,
                                LENGTH("rows") GLOBAL real *RESTRICT y,
                                real alpha, real beta, i32 base, i32 rows)
{
    const i64 r = launch_item();

    if (r < rows)
        y_store(y, (i32)r, row_ptr[r] == row_ptr[r + 1] ? 0 : product[row_ptr[r] - base], alpha,
                beta);
}

#endif
