/* random.h: random numbers that are the same on every machine for the same seed.
 *
 * SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): one word of state, which the caller owns.
 */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/spmv_module.h"

typedef struct bench_random {
    uint64_t state;              /* the seed */
} bench_random;

/* The state of stream `index` of `kind`. With a stream for each row or piece, rows can be made in
 * any order. */
bench_random bench_random_stream(uint64_t seed, uint64_t kind, uint64_t index);

uint64_t bench_random_bits(bench_random *random);
int64_t bench_random_below(bench_random *random, int64_t limit);   /* 0 <= result < limit */
double bench_random_unit(bench_random *random);                    /* 0 <= result < 1 */

/* Distributions for x, y and val. */
typedef enum bench_data {
    BENCH_INTEGERS,              /* -4 to 4 without 0: 2^17 products add up exactly in f32 */
    BENCH_UNIFORM,               /* -1 to 1 */
    BENCH_MIXED                  /* -1 to 1 times a power of two from 2^-12 to 2^12 */
} bench_data;

/* Fills an array of count values. */
void bench_random_fill(bench_random *random, bench_data data, spmv_value_type type, void *values,
                       size_t count);

#endif
