/* loops.c: loops that cannot be unrolled. */
#include "../prelude/words.h"

i32 loops(i32 n, i32 *out)
{
    i32 i;
    UNROLL
    for (i32 k = 0; k < WIDTH * DEPTH; k++)
        out[k] = k;
    UNROLL
    for (i32 k = 0; k < n; k++)
        out[k] = k;
    UNROLL
    for (i32 k = n; k < 4; k++)
        out[k] = k;
    UNROLL
    for (i = 0; i < 4; i++)
        out[i] = i;
    UNROLL
    for (;;)
        n++;
    UNROLL
    for (i32 k = 0; k < 4; k++)
        k++;
    UNROLL
    for (i32 k = 0; k < 4; k++)
        out = &k;
    UNROLL
    for (i32 k = 0; k < 4; k++) {
        if (k == n)
            break;
    }
    UNROLL
    for (i32 k = 0; k < 4; k++) {
        switch (n) {
        case 1:
            break;
        default:
            continue;
        }
    }
    UNROLL
    for (i32 k = 0; k < 4; n++)
        out[k] = k;
    UNROLL
    for (i32 k = 1; k > 0; k += k)
        out[0] = k;
    UNROLL
    for (i32 k = 0; k < WIDTH; k++)
        UNROLL
        for (i32 m = 0; m < WIDTH; m++)
            UNROLL
            for (i32 o = 0; o < WIDTH; o++)
                out[k] = m;
    return n;
}
