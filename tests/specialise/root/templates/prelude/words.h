/* words.h: a small prelude that has nothing to do with matrices. */
#ifndef TEST_PRELUDE_WORDS_H
#define TEST_PRELUDE_WORDS_H

#include "types.h"
#include "params.h"
#include "host.h"

#define KERNEL static
#define DEVICE static inline
#define RESTRICT restrict
#define LOCAL
#define UNROLL
#define LENGTH(text)
#define KERNEL_NAME
#define TWICE_WIDTH (2 * WIDTH)

/* a*b + c */
DEVICE sample multiply_add(sample a, sample b, sample c)
{
    return a * b + c;
}

DEVICE i64 wide_product(i64 a, i64 b)
{
    return a * b;
}

/* The larger one. */
DEVICE i32 larger(i32 a, i32 b)
{
    return a > b ? a : b;
}

/* WIDTH samples. */
typedef struct pack {
    sample lane[WIDTH];
} pack;

/* The same sample in each lane. */
DEVICE pack pack_of(sample value)
{
    pack p;
    for (i32 i = 0; i < WIDTH; i++)
        p.lane[i] = value;
    return p;
}

/* The sum of the lanes. */
DEVICE sample pack_sum(pack p)
{
    sample sum = 0;
    for (i32 i = 0; i < WIDTH; i++)
        sum = sum + p.lane[i];
    return sum;
}

/* Twice the sum: its body uses another word. */
DEVICE sample pack_twice(pack p)
{
    return 2 * pack_sum(p);
}

/* Has neither an entry in some lowerings nor a body. */
sample mystery(sample value);

/* Waits for the others; nothing where there is one work-item. */
DEVICE void wait_for_all(void)
{
}

#endif
