/* half.h: 16-bit floats in portable C: f16 (IEEE binary16) and bf16 (the upper half of a float).
 *
 * Widening is exact. Rounding goes to the nearest value, of two to the one with an even last bit,
 * whatever the rounding mode of the caller is; too large numbers become infinities. A NaN keeps its
 * sign and the upper bits of its payload and becomes quiet, as in conversions by the CPU.
 *
 *             sign  exponent  fraction  largest     smallest normal
 *     f16     1     5         10        65504       2^-14
 *     bf16    1     8         7         3.39e38     2^-126
 */
#ifndef SPMV_HALF_H
#define SPMV_HALF_H

#include "runtime/spmv_module.h"

#include <string.h>

static inline float spmv_float_of_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float spmv_float_of_bf16(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    const int is_nan = (half & 0x7fff) > 0x7f80;

    return spmv_float_of_bits(is_nan ? bits | 0x00400000 : bits);
}

static inline float spmv_float_of_f16(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    const uint32_t magnitude = half & 0x7fff;
    float small;

    if (magnitude > 0x7c00)
        return spmv_float_of_bits(sign | 0x7fc00000 | magnitude << 13);
    if (magnitude == 0x7c00)
        return spmv_float_of_bits(sign | 0x7f800000);
    if (magnitude >= 0x0400)     /* the exponent's bias is 127 instead of 15 */
        return spmv_float_of_bits(sign | ((magnitude << 13) + ((uint32_t)(127 - 15) << 23)));
    /* Below 2^-14 the fraction counts multiples of 2^-24. */
    small = (float)magnitude * (1.0f / 16777216);
    return sign != 0 ? -small : small;
}

/* Rounds to a float of 16 bits with `fraction` bits behind the point. The arguments are constants.
 *
 * A double and such a float hold a number as exponent and fraction side by side, so that rounding
 * up may carry from the fraction into the exponent. */
SPMV_INLINED uint16_t spmv_half_of_double(double value, int fraction)
{
    const int dropped = 52 - fraction;
    const int64_t bias = ((int64_t)1 << (14 - fraction)) - 1;
    const uint64_t infinity = ((uint64_t)0x7fff >> fraction) << fraction;
    uint64_t bits, sign, significand, last;
    int64_t exponent;
    int shift = dropped;

    memcpy(&bits, &value, sizeof bits);
    sign = bits >> 63 << 15;
    bits &= UINT64_MAX >> 1;
    if (bits > (uint64_t)0x7ff << 52)
        return (uint16_t)(sign | infinity | (uint64_t)1 << (fraction - 1) |
                          (bits >> dropped & (((uint64_t)1 << fraction) - 1)));
    exponent = (int64_t)(bits >> 52) - 1023 + bias;
    if (exponent >= (int64_t)(infinity >> fraction))
        return (uint16_t)(sign | infinity);
    if (exponent >= 1) {
        significand = bits - ((uint64_t)(1023 - bias) << 52);
    } else {
        /* Below the normal range, the place of the last bit is fixed. */
        if (exponent < -fraction - 1)
            return (uint16_t)sign;
        significand = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
        shift += (int)(1 - exponent);
    }
    last = significand >> shift & 1;
    significand += ((uint64_t)1 << (shift - 1)) - 1 + last;
    return (uint16_t)(sign | significand >> shift);
}

static inline uint16_t spmv_f16_of_double(double value)
{
    return spmv_half_of_double(value, 10);
}

static inline uint16_t spmv_bf16_of_double(double value)
{
    return spmv_half_of_double(value, 7);
}

#endif
