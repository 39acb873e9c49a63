/* convert.c: integer constants that are converted to a floating type. */
#include "prelude/words.h"

void in_f32(f32 *y, f32 x, i32 n)
{
    y[0] = (f32)EDGE;
    y[1] = (f32)(EDGE + 1);
    y[2] = (f32)-EDGE;
    y[3] = (f32)(-EDGE - 1);
    y[4] = (f32)(EDGE + 2) + x * (EDGE + 1) + EDGE * x;
    y[5] = (f32)(2 * EDGE + 4) + (f32)((u64)EDGE << 30);
    y[6] = (f32)LOWEST + (f32)HIGHEST;
    y[7] = (f32)16777216 + (f32)16777217 + (f32)n;
}

void in_f64(f64 *y, f64 x, i32 n)
{
    y[0] = (f64)(((i64)EDGE << 29) + 1);
    y[1] = (f64)(((i64)EDGE << 29) - 1);
    y[2] = (f64)-(((i64)EDGE << 29) + 1);
    y[3] = (f64)(LOWEST * ((i64)WIDTH << 30)) + (f64)((u64)LOWEST << 32);
    y[4] = x - MINUS + -(f64)MINUS - -(f64)EDGE - (f64)MINUS * (f64)(MINUS);
    y[5] = (f64)LOWEST + (f64)HIGHEST;
    y[6] = (f32)(EDGE + 1) + (f64)(f32)EDGE;
    y[7] = (f64)(n * WIDTH) + (f64)(n > WIDTH);
}

/* With -0.0 and 0.0 kept apart, and what is no conversion of a constant left. */
sample places(sample x, i32 n, sample *y)
{
    const sample weight = WIDTH, list[2] = { DEPTH, (sample)FLAG };

    y[0] = -(sample)FLAG + (sample)-FLAG;
    y[1] = n ? (sample)0 : x;
    y[2] = WIDTH > DEPTH ? 1 : x;
    y[3] = x * (WIDTH > DEPTH ? WIDTH : x);
    y[4] = x * (WIDTH > DEPTH ? 1 : x);
    y[5] = multiply_add(WIDTH, MINUS, 2) + multiply_add(x, (sample)-1, (sample)EDGE);
    y[6] = larger(WIDTH, n) + pack_sum(pack_of(WIDTH)) + pack_sum(pack_of(3));
    y[7] = x == 0 ? 0 : (x + 1) / 3 + (sample)(-1) + (sample)('a');
    y[8] += WIDTH;
    y[9] = ((sample)(WIDTH * DEPTH + 1)) / TWICE_WIDTH + (WIDTH + DEPTH) * x;
    UNROLL
    for (i32 i = 0; i < 2; i++)
        y[i] += (sample)i * list[i] + weight * (i + WIDTH);
    return WIDTH;
}

static sample twice(sample value)
{
    return 2 * value;
}

sample more(sample *y)
{
    return twice(WIDTH) + y[WIDTH];
}
