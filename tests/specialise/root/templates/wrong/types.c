/* types.c: types that are no words of the prelude. */
#include "../prelude/words.h"

long file_scope;

static i32 f(unsigned a, short b, size_t c, int32_t d, double e, float g, char h, const char *i, int j,
             long double k)
{
    unsigned long long m = (unsigned)a + (long)b;
    i32 *p = &j;
    return (i32)(m + c + d + e + g + h + j + k + i[0] + sizeof p + sizeof(i32 *) + sizeof(unsigned) + 1l);
}

i32 use(void)
{
    return f(1, 2, 3, 4, 5, 6, 7, "text", 8, 9) + _Alignof(i32);
}
