/* layout_columns.h: columns of 32 bits, or of 16 bits from a first column on, in two arrays. Each
 * group of columns (a tile, a slice, a row) has a word that says where they are:
 *
 *     +--------+-----------------------------+-----------------------+
 *     | wide   | columns of its kind before  | first column if       |
 *     |        | it, in units                | narrow, else 0        |
 *     +--------+-----------------------------+-----------------------+
 *       1 bit    32 bits                       31 bits
 */
#ifndef SPMV_COMMON_LAYOUT_COLUMNS_H
#define SPMV_COMMON_LAYOUT_COLUMNS_H

#include "../prelude/base.h"

/* first: the smallest column, in the caller's base. */
DEVICE u64 column_word(bool wide, i32 first, u32 before)
{
    return (wide ? (u64)1 << 63 : 0) | (u64)before << 31 | ((u64)first & 0x7fffffffu);
}

DEVICE bool word_is_narrow(u64 word)
{
    return (word >> 63) == 0;
}

DEVICE i32 first_column(u64 word)
{
    return (i32)(word & 0x7fffffffu);
}

/* Where the columns begin in the array of their kind. */
DEVICE i64 columns_begin(u64 word, i32 unit)
{
    return (i64)(word >> 31 & 0xffffffffu) * unit;
}

/* The columns of a group: in one of two arrays. */
typedef struct column_source {
    GLOBAL const i32 *wide;
    GLOBAL const u16 *narrow;
    GLOBAL const real *xb;       /* x, moved so that the columns index it */
} column_source;

/* The columns of the group with this word. xb is indexed by columns in the caller's base. */
DEVICE column_source columns_at(u64 word, GLOBAL const i32 *wide, GLOBAL const u16 *narrow,
                                GLOBAL const real *xb, i32 unit)
{
    const i64 begin = columns_begin(word, unit);
    column_source columns = {wide, narrow, xb};

    if (word_is_narrow(word)) {
        columns.narrow = narrow + begin;
        columns.xb = xb + first_column(word);
    } else {
        columns.wide = wide + begin;
    }
    return columns;
}

#endif
