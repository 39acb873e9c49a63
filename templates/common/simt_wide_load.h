/* simt_wide_load.h: loads of A. Several entries at once are consecutive, and begin at a multiple of
 * their number. Columns have 32 bits or 16. */
#ifndef SPMV_COMMON_SIMT_WIDE_LOAD_H
#define SPMV_COMMON_SIMT_WIDE_LOAD_H

#include "../prelude/simt.h"

/* Column `at` of one of two arrays. */
DEVICE i32 load_column(GLOBAL const i32 *wide, GLOBAL const u16 *narrow, bool is_narrow, i64 at)
{
    return is_narrow ? u16_stream(narrow, at) : i32_stream(wide, at);
}

/* LOAD_WIDTH columns from `at` on. */
DEVICE void load_column_group(i32 *column, GLOBAL const i32 *wide, GLOBAL const u16 *narrow,
                              bool is_narrow, i64 at)
{
    if (LOAD_WIDTH == 4 && is_narrow)
        u16_load4(column, narrow + at);
    else if (LOAD_WIDTH == 4)
        i32_load4(column, wide + at);
    else if (LOAD_WIDTH == 2 && is_narrow)
        u16_load2(column, narrow + at);
    else if (LOAD_WIDTH == 2)
        i32_load2(column, wide + at);
    else
        column[0] = load_column(wide, narrow, is_narrow, at);
}

/* LOAD_WIDTH columns from `at` on, as they are stored: two columns of 16 bits in a word, the first
 * one in its lower half. So no instruction waits for them before group_column does. */
DEVICE void load_packed_group(i32 *word, GLOBAL const i32 *wide, GLOBAL const u16 *narrow,
                              bool is_narrow, i64 at)
{
    if (LOAD_WIDTH == 4 && is_narrow)
        i32_load2(word, (GLOBAL const i32 *)(narrow + at));
    else if (LOAD_WIDTH == 2 && is_narrow)
        word[0] = i32_stream((GLOBAL const i32 *)(narrow + at), 0);
    else
        load_column_group(word, wide, narrow, is_narrow, at);
}

/* Column i of these words; is_packed: they hold columns of 16 bits. */
DEVICE i32 group_column(const i32 *word, bool is_packed, i32 i)
{
    return is_packed ? (i32)((u32)word[i / 2] >> 16 * (i % 2) & 0xffffu) : word[i];
}

/* VALUE_WIDTH values. */
DEVICE void load_value_group(real *value, GLOBAL const real *val)
{
    if (VALUE_WIDTH == 4)
        r_load4(value, val);
    else if (VALUE_WIDTH == 2)
        r_load2(value, val);
    else
        value[0] = r_stream(val, 0);
}

#endif
