/* layout_fields.h: the bit fields of tile_ptr and tile_desc, and the order of the nonzeros of a
 * tile. */
#ifndef SPMV_CSR5_LAYOUT_FIELDS_H
#define SPMV_CSR5_LAYOUT_FIELDS_H

#include "../prelude/base.h"

/* The descriptor's fields for one sigma. */
typedef struct tile_shape {
    i32 sigma;
    i32 size;                    /* nonzeros of a tile: omega * sigma */
    i32 y_bits, seg_bits;
    i32 words;
} tile_shape;

DEVICE i32 tile_row(u32 word)
{
    return (i32)(word & 0x7fffffffu);
}

DEVICE bool tile_has_empty_rows(u32 word)
{
    return (word >> 31) != 0;
}

/* ceil(log2(count)), count > 0 */
DEVICE i32 bits_for(i32 count)
{
    i32 bits = 0;
    while ((1 << bits) < count)
        bits++;
    return bits;
}

DEVICE tile_shape shape_of(i32 sigma)
{
    tile_shape shape;
    shape.sigma = sigma;
    shape.size = OMEGA * sigma;

    /* A y_offset is at most (omega - 1) * sigma, which is less than the tile's size. A tile of one
     * nonzero has a bit that it does not need: C cannot shift a word by all of its bits. */
    shape.y_bits = bits_for(shape.size > 1 ? shape.size : 2);
    shape.seg_bits = bits_for(OMEGA);
    shape.words = (shape.y_bits + shape.seg_bits + sigma + 31) / 32;
    return shape;
}

DEVICE i32 lane_y_offset(const tile_shape *shape, u32 word)
{
    return (i32)(word >> (32 - shape->y_bits));
}

DEVICE i32 lane_seg_offset(const tile_shape *shape, u32 word)
{
    return shape->seg_bits ? (i32)(word << shape->y_bits >> (32 - shape->seg_bits)) : 0;
}

/* Index within a tile of a step of a lane, where `width` steps of a lane are contiguous. */
DEVICE i32 place_in_tile(i32 width, i32 sigma, i32 step, i32 lane)
{
    const u32 at = (u32)step;    /* unsigned: a division by a power of two is one shift */

    if (step >= sigma - sigma % width)
        return step * OMEGA + lane;
    return (i32)((at / (u32)width * OMEGA + (u32)lane) * (u32)width + at % (u32)width);
}

DEVICE i32 column_place(i32 sigma, i32 step, i32 lane)
{
    (void)sigma;                 /* single steps have the same index for any sigma */
    return LOAD_WIDTH > 1 ? place_in_tile(LOAD_WIDTH, sigma, step, lane) : step * OMEGA + lane;
}

DEVICE i32 value_place(i32 sigma, i32 step, i32 lane)
{
    (void)sigma;
    return VALUE_WIDTH > 1 ? place_in_tile(VALUE_WIDTH, sigma, step, lane) : step * OMEGA + lane;
}

#endif
