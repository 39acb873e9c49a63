/* clash.c: a name with a type behind it that is taken. */
#include "../prelude/words.h"

static sample total(sample a)
{
    return a + (sample)1;
}

static sample twice(sample a)
{
    const sample total_f32 = total(a);
    return total_f32 + total_f32;
}

KERNEL void store(sample *y, i32 n)
{
    y[n] = twice(y[n]);
}
