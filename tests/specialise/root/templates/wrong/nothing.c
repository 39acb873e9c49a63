/* nothing.c: nothing here can be used from outside. */
#include "../prelude/words.h"

static i32 unused(i32 n)
{
    return n;
}
