/* random.c: see random.h. Nothing is shared, so different states may be used at the same time. */
#include "bench/matrices/random.h"

#include <math.h>

static uint64_t scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);

bench_random bench_random_stream(uint64_t seed, uint64_t kind, uint64_t index)
{
    return (bench_random){ scramble(scramble(scramble(seed + step) ^ kind) + step * index) };
}

uint64_t bench_random_bits(bench_random *random)
{
    return scramble(random->state += step);
}

/* Inline, so that the compiler replaces the division by a constant limit: 32-bit Arm divides
 * 64-bit numbers in software. The bias of the remainder is below limit/2^63, too small for any
 * test. */
static inline int64_t below(bench_random *random, int64_t limit)
{
    return (int64_t)((bench_random_bits(random) >> 1) % (uint64_t)limit);
}

int64_t bench_random_below(bench_random *random, int64_t limit)
{
    return below(random, limit);
}

double bench_random_unit(bench_random *random)
{
    return (double)(bench_random_bits(random) >> 11) * 0x1p-53;
}

static double draw(bench_random *random, bench_data data)
{
    if (data == BENCH_INTEGERS) {
        const int64_t magnitude = 1 + below(random, 4);
        return (double)(bench_random_bits(random) & 1 ? magnitude : -magnitude);
    }

    const double value = 2 * bench_random_unit(random) - 1;
    return data == BENCH_UNIFORM ? value : ldexp(value, (int)below(random, 25) - 12);
}

void bench_random_fill(bench_random *random, bench_data data, spmv_value_type type, void *values,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (type == SPMV_F32)
            ((float *)values)[i] = (float)draw(random, data);
        else
            ((double *)values)[i] = draw(random, data);
    }
}
