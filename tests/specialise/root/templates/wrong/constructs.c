/* constructs.c: what the specialiser does not do. */
#include "../prelude/words.h"

#define OWN_CONSTANT 4
#define OWN_FUNCTION(x) ((x) + 1)
#if 1
#endif
#pragma omp parallel

__attribute__((noinline)) static i32 attributed(void)
{
    return 1;
}

UNROLL static i32 misplaced(i32 n)
{
    if (n)
        goto end;
    __asm__("nop");
end:
    return n;
}

i32 many(i32 n)
{
    i32 vla[n];
    i32 statement = ({ n; });
    void *label = &&here;
    switch (WIDTH) {
    case 1:
        n = 1;
    }
    switch (n) {
    case 1 ... 3:
        n = 1;
    }
    n = _Generic(n, int: 1, default: 2);
    __builtin_trap();
    n = __builtin_ctz((unsigned)n);
    __typeof__(n) same = n;
here:
    return vla[0] + statement + same + misplaced(n) + attributed() + (label != 0);
}

__asm__("nop");
