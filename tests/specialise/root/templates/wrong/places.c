/* places.c: parameters where they cannot be replaced. */
#include "../prelude/words.h"

typedef struct bits {
    u32 low : WIDTH;
    i32 WIDTH_IS[WIDTH];
} bits;

_Alignas(WIDTH * 4) static i32 aligned_data;

i32 places(const bits *b)
{
    const i32 DEPTH = 3;
    return (i32)b->low + b->WIDTH_IS[0] + DEPTH + aligned_data;
}
