/* simd_decode.h: decodes a block of values to memory, for kernels of several vectors.
 *
 * These read each value once for all vectors, and mostly one value at a time. So decoding a block
 * first, into memory that stays in a cache, costs little, and they need no variant for each coding.
 */
#ifndef STRIPS_SIMD_DECODE_H
#define STRIPS_SIMD_DECODE_H

#include "layout.h"
#include "layout_values.h"
#include "simd_values.h"

INLINED void decode_block(const i32 kind, const value_cursor *from, i64 count, real *to)
{
    for (i64 k = 0; k < count; k += LANES)
        v_store(to + k, load_values(kind, from, k));
}

/* The values of a block of strip s, which begins at place `begin` of VAL and has `count` entries:
 * where they stand, or decoded. decoded: memory for them and for LANES more. */
DEVICE const real *decoded_values(const strips_matrix *a, i64 s, i32 block, i64 begin, i64 count,
                                  real *decoded)
{
    const value_cursor from = first_value(a, s, block, begin);

    if (!NARROW_VALUES)
        return from.val;
    switch (coding_of(a, s, block).kind) {
    case VALUES_WIDE:
        return from.val;
    case VALUES_EQUAL:
        decode_block(VALUES_EQUAL, &from, count, decoded);
        break;
    case VALUES_FEW:
        if (TABLE_VALUES > 0)
            decode_block(VALUES_FEW, &from, count, decoded);
        break;
    case VALUES_BYTE:
        if (sizeof(real) > sizeof(f32))
            decode_block(VALUES_BYTE, &from, count, decoded);
        break;
    default:
        if (sizeof(real) > sizeof(f32))
            decode_block(VALUES_SINGLE, &from, count, decoded);
        break;
    }
    return decoded;
}

#endif
