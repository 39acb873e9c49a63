/* signs.c: extreme values, literals as operands, and brackets beside comments and quotes. */
#include "prelude/words.h"

i64 extremes(i32 n, i64 k, u32 u, u64 v)
{
    i64 r = LOWEST;
    r += n - LOWEST;
    r -= -HIGHEST;
    r /= -(HIGHEST - 1);
    r += (i64)HIGHEST + 1;
    r += ((i64)LOWEST * HIGHEST) * 2 - k;
    r ^= u * (u32)HIGHEST * 2u;
    r ^= (u32)LOWEST;
    r ^= (i64)(v * ((u64)1 << 63 | WIDTH));
    r ^= (i64)(v + (u32)LOWEST);
    r ^= n - -WIDTH;
    r ^= (u8)(HIGHEST) + (u8)WIDTH;
    r ^= ~WIDTH & n;
    return r;
}

/* What a comment or a literal holds closes no bracket and opens none. */
sample quotients(sample x, sample a, sample b, sample c, i32 n)
{
    sample r = x / ((a /* it's */ + b) * c);
    r += x / ((a // it's (
               + b) * c);
    r += x / ((a /* ) */ + b) * c);
    r += x / ((sample)(n == ')') * c);
    r += x / ((sample)(n == '"') * (c + '\''));
    return r / ((a /* "it's" */ + b));
}
