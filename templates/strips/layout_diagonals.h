/* layout_diagonals.h: a pair of diagonals of STRIP_DIAGONALS in INDEX.
 *
 *     | diagonal | diagonal | mask of the first | mask of the second |
 *       i32        i32        u16                 u16
 *
 * A diagonal is stored as column - row of its entries, and bit i of its mask says whether lane i
 * has an entry on it. A list of an odd number of diagonals ends with an empty mask: diagonals are
 * multiplied two by two, because a branch for a single last one would be mispredicted half of the
 * time.
 */
#ifndef SPMV_STRIPS_LAYOUT_DIAGONALS_H
#define SPMV_STRIPS_LAYOUT_DIAGONALS_H

#include "../prelude/base.h"

enum { PAIR = 3 };               /* i32 of a pair */

DEVICE u32 first_mask(const i32 *pair)
{
    return (u32)pair[2] & 0xffffu;
}

DEVICE u32 second_mask(const i32 *pair)
{
    return (u32)pair[2] >> 16;
}

/* Values of a padded diagonal. The empty mask that ends a list has none. */
DEVICE i32 padded_values(u32 mask)
{
    return mask ? (i32)DIAGONAL_ROWS : 0;
}

/* Values of a padded slice with the pairs [begin, end). */
DEVICE i64 padded_count(const i32 *begin, const i32 *end)
{
    if (begin == end)
        return 0;
    return (i64)(end - begin) / PAIR * 2 * DIAGONAL_ROWS - DIAGONAL_ROWS +
           padded_values(second_mask(end - PAIR));
}

/* The mask of a diagonal on which all rows of a slice have an entry. */
DEVICE u32 full_mask(void)
{
    return ((u32)1 << DIAGONAL_ROWS) - 1;
}

DEVICE bool is_full_pair(const i32 *pair)
{
    return (u32)pair[2] == (full_mask() | full_mask() << 16);
}

#endif
