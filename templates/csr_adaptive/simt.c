/* CSR-Adaptive (Greathouse & Daga, SC 2014; Daga & Greathouse, HiPC 2015) on work-items.
 *
 * The host code draws the row blocks. Each block has a work-group, and its nonzeros are distributed
 * cyclically: work-item i reads nonzeros i, i + WORK_GROUP_SIZE, ... of the block, whatever their
 * rows, so that loads coalesce.
 *
 *   CSR-Stream   the products of all nonzeros of the block go to local memory. Rows are
 *                then added from there: many rows by one work-item each (the papers'
 *                scalar reduction), few rows by 2^n work-items each, with the largest n
 *                for which the group suffices (their logarithmic reduction).
 *   CSR-Vector   the work-items are distributed over rows in the same way, and read the
 *                nonzeros themselves; a single row has the whole group. (HiPC 2015
 *                does not say how several rows share it; at once they wait only once for
 *                memory and for each other.)
 *   CSR-VectorL  a part of one row, treated as a row; csr_adaptive_long_rows adds the
 *                parts.
 *
 * Unlike HiPC 2015: a second kernel adds the parts of a long row, in an order that depends on the
 * matrix and the parameters only, where III-B2 has atomic additions behind a flag on which groups
 * wait until the first of them has multiplied y by beta.
 *
 * The bits differ from the bits on CPUs: each work-item of a row forms a sum, and parts are not
 * added one by one. The order of additions is fixed here too.
 */
#include "../prelude/simt.h"
#include "../common/simt_scale.h"
#include "../common/simt_item_sum.h"
#include "../common/simt_reduce.h"
#include "layout_block.h"
#include "layout_kinds.h"

enum {
    ITEM_NNZ = NNZ_PER_WG / WORK_GROUP_SIZE,             /* of a CSR-Stream block */
    IS_ONE_PASS = ITEM_NNZ == ITEM_LOADS,
    ROW_LOADS = ITEM_NNZ < 4 ? ITEM_NNZ : 4  /* rows of a work-item whose row pointers it loads
                                                together with the nonzeros */
};

/* ---- loads --------------------------------------------------------------------------------- */

/* col + k and val + k. By integers, since nvcc would otherwise add k to each index of each array,
 * in 64 bits: six instructions for a nonzero instead of two. */
DEVICE GLOBAL const i32 *columns_from(GLOBAL const i32 *col, i64 k)
{
    return (GLOBAL const i32 *)((uptr)col + (uptr)k * (uptr)sizeof(i32));
}

DEVICE GLOBAL const real *values_from(GLOBAL const real *val, i64 k)
{
    return (GLOBAL const real *)((uptr)val + (uptr)k * (uptr)sizeof(real));
}

/* The values and x of nonzeros k, k + stride, ..., ITEM_LOADS of them. All loads of columns and
 * values are issued before the first is used, so a work-item waits for them once, and once for x.
 * In place of those from `end` on it loads the last nonzero before `end`: there is no branch, and
 * no memory is read that other work-items do not read. */
DEVICE void load_nonzeros(real *value, real *x, GLOBAL const i32 *col, GLOBAL const real *val,
                          GLOBAL const real *xb, i32 k, i32 end, i32 stride)
{
    const i32 most = end - 1;
    i32 column[ITEM_LOADS];

    UNROLL
    for (i32 i = 0; i < ITEM_LOADS; i++) {
        const i32 at = k + i * stride < most ? k + i * stride : most;
        column[i] = i32_stream(col, at);
        value[i] = r_stream(val, at);
    }
    UNROLL
    for (i32 i = 0; i < ITEM_LOADS; i++)
        x[i] = x_read(xb, column[i]);
}

/* ---- CSR-Stream ---------------------------------------------------------------------------- */

/* product[k] = val[k] * its x, for the nonzeros of a block. Products from `count` on are not
 * read. */
DEVICE void fill_products(GLOBAL const i32 *col, GLOBAL const real *val, GLOBAL const real *xb,
                          i32 count, i32 item, LOCAL real *product)
{
    for (i32 from = item; from - item < count; from += ITEM_LOADS * WORK_GROUP_SIZE) {
        real value[ITEM_LOADS];
        real x[ITEM_LOADS];

        load_nonzeros(value, x, col, val, xb, from, count, WORK_GROUP_SIZE);
        UNROLL
        for (i32 i = 0; i < ITEM_LOADS; i++) {
            if (IS_ONE_PASS || from + i * WORK_GROUP_SIZE < count)
                product[from + i * WORK_GROUP_SIZE] = r_mul(value[i], x[i]);
        }
        if (IS_ONE_PASS)
            break;
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

/* ---- CSR-Vector ---------------------------------------------------------------------------- */

/* The sum of the products of nonzeros k, k + stride, ... before end, added in this order. */
DEVICE real row_sum(GLOBAL const i32 *col, GLOBAL const real *val, GLOBAL const real *xb, i32 k,
                    i32 end, i32 stride)
{
    real sum = 0;

    for (; k < end; k += ITEM_LOADS * stride) {
        real value[ITEM_LOADS];
        real x[ITEM_LOADS];

        load_nonzeros(value, x, col, val, xb, k, end, stride);
        sum = r_fma(value[0], x[0], sum);
        UNROLL
        for (i32 i = 1; i < ITEM_LOADS; i++)
            sum = k + i * stride < end ? r_fma(value[i], x[i], sum) : sum;
    }
    return sum;
}

/* ---- all kinds ----------------------------------------------------------------------------- */

/* The kind of a block decides where values come from and where sums go. The barriers are the same
 * for all kinds, since some OpenCL drivers mishandle a barrier in a branch, even if the whole group
 * takes it.
 *
 * A work-item waits once, for the words of the block, before it loads nonzeros (twice if there are
 * 2^32 nonzeros or more). It needs row pointers only when the products are complete, and loads them
 * before: they arrive together. */
KERNEL void csr_adaptive_blocks(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                                LENGTH("nnz") GLOBAL const i32 *RESTRICT col_idx,
                                LENGTH("nnz") GLOBAL const real *RESTRICT val,
                                LENGTH("cols") GLOBAL const real *RESTRICT x,
                                LENGTH("rows") GLOBAL real *RESTRICT y,
                                LENGTH("2 * (blocks + 1)") GLOBAL const i32 *RESTRICT row_block,
                                LENGTH("blocks") GLOBAL real *RESTRICT part_sum,
                                real alpha, real beta, i32 base, i64 nnz)
{
    LOCAL_MEMORY real product[NNZ_PER_WG];   /* WORK_GROUP_SIZE at least */
    const i32 item = item_index();
    GLOBAL const real *xb = x_rebase(x, base);
    i32 word[2 * BLOCK_WORDS];               /* of the block and of the next */
    u32 row_begin[ROW_LOADS];                /* of row r + i * WORK_GROUP_SIZE: the low 32 bits */
    u32 row_end[ROW_LOADS];                  /* of its row pointers */
    real sum = 0;

    i32_load2(word, row_block + group_index() * BLOCK_WORDS);
    i32_load2(word + BLOCK_WORDS, row_block + (group_index() + 1) * BLOCK_WORDS);

    const bool is_part = word[0] < 0;
    const i32 row = block_row(word[0]);
    const i32 rows = is_part ? 1 : block_row(word[2]) - row;
    const i32 count = (i32)((u32)word[3] - (u32)word[1]);
    const i32 kind = is_part ? KIND_VECTOR_L : kind_of_rows(rows, count);
    const i32 times = log2_items(kind, rows);
    const i32 items = 1 << times;                        /* of each row */
    const i32 lane = item & (items - 1);
    const i32 r = item >> times;                         /* the row, counted within the block */
    i64 begin = (i64)(u32)word[1];

    if (nnz > 0xffffffff)
        begin = block_begin((u32)word[1], (i64)row_ptr[row] - base);

    GLOBAL const i32 *col = columns_from(col_idx, begin);
    GLOBAL const real *value = values_from(val, begin);
    const u32 origin = (u32)begin + (u32)base;

    row_ptr += row;
    y += row;
    UNROLL
    for (i32 i = 0; i < ROW_LOADS; i++) {
        row_begin[i] = origin;               /* of a single row, or a part of one */
        row_end[i] = i == 0 && r < rows ? origin + (u32)count : origin;
        if (rows > 1 && r + i * WORK_GROUP_SIZE < rows) {
            row_begin[i] = (u32)row_ptr[r + i * WORK_GROUP_SIZE];
            row_end[i] = (u32)row_ptr[r + i * WORK_GROUP_SIZE + 1];
        }
    }

    if (kind == KIND_STREAM)
        fill_products(col, value, xb, count, item, product);
    group_barrier();

    const i32 first = (i32)(row_begin[0] - origin);
    const i32 last = (i32)(row_end[0] - origin);

    if (kind == KIND_STREAM) {
        sum = product_sum(product, first + lane, last, items);

        /* If there are more rows than work-items, each work-item adds several. */
        UNROLL
        for (i32 i = 1; i < ROW_LOADS; i++) {
            if (r + i * WORK_GROUP_SIZE < rows)
                y_store(y, r + i * WORK_GROUP_SIZE,
                        product_sum(product, (i32)(row_begin[i] - origin),
                                    (i32)(row_end[i] - origin), 1), alpha, beta);
        }
        for (i32 s = r + ROW_LOADS * WORK_GROUP_SIZE; s < rows; s += WORK_GROUP_SIZE)
            y_store(y, s, product_sum(product, (i32)((u32)row_ptr[s] - origin),
                                      (i32)((u32)row_ptr[s + 1] - origin), 1), alpha, beta);
    } else {
        sum = row_sum(col, value, xb, first + lane, last, items);
    }
    group_barrier();             /* all products are read: their memory is free */
    sum = neighbour_sum(sum, product, item, items);
    if (lane == 0) {
        if (kind == KIND_VECTOR_L)
            part_sum[group_index()] = sum;
        else if (r < rows)
            y_store(y, r, sum, alpha, beta);
    }
}

/* Adds the parts of long rows. A row has long_row_items work-items, a power of two. The parts are
 * distributed cyclically, then the sums of the work-items are added by halving. */
KERNEL void csr_adaptive_long_rows(LENGTH("rows + 1") GLOBAL const offset *RESTRICT row_ptr,
                                   LENGTH("rows") GLOBAL real *RESTRICT y,
                                   LENGTH("2 * (blocks + 1)") GLOBAL const i32 *RESTRICT row_block,
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
        row = block_row(row_block[block * BLOCK_WORDS]);
        const i64 parts =
            i64_ceil_div((i64)row_ptr[row + 1] - (i64)row_ptr[row], LONG_ROW_PART);
        sum = sum_values(part_sum, block + lane, block + parts, long_row_items);
    }
    sum = neighbour_sum(sum, part, item, long_row_items);
    if (i < long_rows && lane == 0)
        y_store(y, row, sum, alpha, beta);
}
