/* include.c: files of the template are put where they are included, once. */
#include "prelude/words.h"
#include "parts/first.c"
#include "parts/shared.h"
#include "parts/unused.c"

/* After the parts. */
i32 last(i32 n)
{
    return first(n) + (i32)sizeof(shared_pair);
}
