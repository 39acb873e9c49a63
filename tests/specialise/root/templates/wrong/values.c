/* values.c: values that a page must not have; each error shows the page's line. */
#include "../prelude/words.h"

_Static_assert(WIDTH * DEPTH <= 16, "a tile has at most 16 samples");

static const i32 negative[4 - WIDTH] = { 0 };
