/* call.c: calls of what nobody declares. */
#include "../prelude/words.h"

i32 parse(i32 n)
{
    n = v_unknown(n);
    return n;
}
