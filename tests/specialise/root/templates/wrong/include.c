/* include.c: other files cannot be included. */
#include "../prelude/words.h"
#include <math.h>
#include "string.h"

i32 include(i32 n)
{
    return n
#include "../parts/expression.inc"
        ;
}
