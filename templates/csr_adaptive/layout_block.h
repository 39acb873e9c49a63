/* layout_block.h: a row block for work-items: two words of row_block, the 64 bits of HiPC 2015
 * (III-B1, Figures 5c and 6). The next block's words say where it ends.
 *
 *     +---------+--------------------+----------------------------+
 *     | is_part | first row          | first nonzero, counted     |
 *     |         |                    | from 0: its lower half     |
 *     +---------+--------------------+----------------------------+
 *       1 bit     31 bits              32 bits
 *
 * is_part: the block is a part of a CSR-VectorL row. The papers store its number, this its first
 * nonzero, so that work-items need not wait for a row pointer before they load nonzeros.
 */
#ifndef SPMV_CSR_ADAPTIVE_LAYOUT_BLOCK_H
#define SPMV_CSR_ADAPTIVE_LAYOUT_BLOCK_H

#include "layout_kinds.h"

enum { BLOCK_WORDS = 2 };

/* The first word. */
DEVICE i32 block_word(i32 row, bool is_part)
{
    return (i32)((u32)row | (is_part ? 0x80000000u : 0u));
}

DEVICE i32 block_row(i32 word)
{
    return word & 0x7fffffff;
}

/* The first nonzero, of which `low` is the lower half. It is less than 2^32 nonzeros behind
 * nonzero `row_begin`, the first of its row. */
DEVICE i64 block_begin(u32 low, i64 row_begin)
{
    return row_begin + (i64)(low - (u32)row_begin);
}

/* Log2 of the number of work-items that each row gets: the largest for which the group suffices,
 * or one work-item in a CSR-Stream block of many rows. */
DEVICE i32 log2_items(i32 kind, i32 rows)
{
    i32 times = 0;

    UNROLL
    for (i32 most = WORK_GROUP_SIZE / 2; most > 0; most /= 2)
        times += rows <= most;
    return kind == KIND_STREAM && rows >= SCALAR_ROWS ? 0 : times;
}

#endif
