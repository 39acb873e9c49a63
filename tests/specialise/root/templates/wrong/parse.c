/* parse.c: what is no C. */
#include "../prelude/words.h"
#include "missing.h"
i32 parse(i32 n)
{
    n = unknown(n) + undeclared;
    return n +;
}
