/* unroll.c: marked loops are written out. */
#include "prelude/words.h"

sample sum_of(const sample *x, i32 n)
{
    sample sum[WIDTH];
    i32 k = 0;

    UNROLL
    for (i32 i = 0; i < WIDTH; i++)
        sum[i] = 0;

    /* A comment before. */
    for (; k + WIDTH <= n; k += WIDTH) {
        UNROLL
        for (i32 i = 0; i < WIDTH; i++) {
            /* Once is enough. */
            sum[i] = sum[i] + x[k + i];   /* and here */
        }
    }

    UNROLL
    for (i32 half = WIDTH / 2; half > 0; half /= 2) {
        UNROLL
        for (i32 i = 0; i < half; i++)
            sum[i] = sum[i] + sum[i + half];
    }
    return sum[0];
}

i64 forms(i64 *out, i32 n)
{
    UNROLL
    for (i32 i = WIDTH; i >= 0; i -= 2)
        out[i] = i;

    UNROLL
    for (u32 bit = 1; bit < 1u << WIDTH; bit <<= 1)
        out[0] |= bit;

    UNROLL
    for (i64 i = 1; i <= DEPTH; ++i)
        out[i] = n * i;

    UNROLL
    for (i32 i = 0; i < WIDTH; i++) {
        const i32 index = i * DEPTH + n;
        if (i == 0)
            out[index] = 1;
        else if (i % 2)
            out[index] = 2 * i;
    }

    UNROLL
    for (i32 i = 0; i < FLAG; i++)
        out[i] = 0;

    if (n > 3)
        UNROLL
        for (i32 i = 0; i < 2; i++)
            out[i] = n;

    UNROLL
    for (i32 i = 0; i < 2; i++)
        for (i32 j = 0; j < n; j++) {
            if (j == 3)
                break;
            out[j] += i;
        }
    return out[0];
}
