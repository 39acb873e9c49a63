/* clash_in_one.c: a name with a type behind it that is taken for one type alone. */
#include "../prelude/words.h"

static sample total(sample a)
{
    return a + (sample)1;
}

static sample twice(sample a)
{
    if (WIDTH == 4) {
        const sample total_f32 = a;
        return total_f32 + total_f32;
    }
    return total(a);
}

KERNEL void store(sample *y, i32 n)
{
    y[n] = twice(total(y[n]));
}
