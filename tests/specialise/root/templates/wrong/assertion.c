/* assertion.c: a static assertion that the values of a page break. */
#include "../prelude/words.h"

_Static_assert(WIDTH * DEPTH <= 16, "a tile has at most 16 samples");
