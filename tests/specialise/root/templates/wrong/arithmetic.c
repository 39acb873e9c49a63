/* arithmetic.c: constants that have no value. */
#include "../prelude/words.h"

i32 arithmetic(i32 n)
{
    n += WIDTH / ZERO;
    n += n % ZERO;
    n += BIG * BIG;
    n += 1 << BIG;
    if (WIDTH / ZERO > 1)
        n = 1;
    if (ZERO && WIDTH / ZERO > 1)
        n = 2;
    n = ZERO ? WIDTH / ZERO : n;
    n += WIDTH << 40;
    return n;
}
