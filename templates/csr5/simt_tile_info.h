/* simt_tile_info.h: what a tile's work-items do beyond the nonzeros of the tile, as one word, so
 * that they need not read row pointers first. */
#ifndef SPMV_CSR5_SIMT_TILE_INFO_H
#define SPMV_CSR5_SIMT_TILE_INFO_H

#include "../prelude/base.h"

/*  +----------+----------+---------+-----------+
 *  | segments | overhang | is open | first row |
 *  +----------+----------+---------+-----------+
 *    16 bits    13 bits    1 bit     2 bits
 *
 *   segments     number of segments of the tile
 *   overhang     number of nonzeros of the next tile that this tile adds to its last row
 *   is open      does the last row continue in the next tile, and another kernel adds it?
 *   first row    who adds the row of the tile's first nonzero: FIRST_...
 */

enum {
    FIRST_OWN,                   /* this tile: the row begins with it */
    FIRST_TAKEN,                 /* the tile before, which also adds this tile's part */
    FIRST_CARRIED                /* another kernel */
};

DEVICE u32 tile_info_word(i32 segments, i32 overhang, bool open, i32 first)
{
    return (u32)segments << 16 | (u32)overhang << 3 | (open ? 4u : 0) | (u32)first;
}

DEVICE i32 info_segments(u32 word)
{
    return (i32)(word >> 16);
}

/* Is the tile part of one row? It then has no flag but the one of its first nonzero. */
DEVICE bool info_is_one_row(u32 word)
{
    return info_segments(word) == 1;
}

DEVICE i32 info_overhang(u32 word)
{
    return (i32)(word >> 3 & 0x1fffu);
}

DEVICE bool info_is_open(u32 word)
{
    return (word & 4u) != 0;
}

DEVICE i32 info_first(u32 word)
{
    return (i32)(word & 3u);
}

#endif
