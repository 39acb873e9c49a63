/* words.c: words that a lowering does not have. */
#include "../prelude/words.h"

KERNEL i32 words(i32 n, sample x, const sample *RESTRICT y)
{
    const pack p = pack_of(x);
    x = multiply_add(x, x, y[0]) + p.lane[0];
    x = mystery(x) + (sample)wide_product(n++, 2);
    sample (*function)(sample, sample, sample) = multiply_add;
    return n + (i32)function(x, x, x) + larger(1, n);
}
