/* member.c: a member called as its type, whose text differs between the types. */
#include "../prelude/words.h"

typedef struct shape {
    sample width;
} shape;

typedef struct box {
    shape shape;
    i32 count;
} box;

KERNEL void store(sample *y, i32 n)
{
    const box b = { .shape = { .width = y[n] }, .count = n };
    y[n] = b.shape.width + (sample)b.count;
}
