/* values.c: values that a page must not have; each error shows the page's line. */
#include "../prelude/words.h"

static const i32 negative[4 - WIDTH] = { 0 };

typedef struct bits {
    u32 low : WIDTH * 2;
} bits;
