/* filter.c: a finite impulse response filter, WIDTH outputs at once.
 *
 * It has nothing to do with matrices: the specialiser must not care.
 */
#include "../prelude/words.h"

/* Outputs that the caller may ask for at once. */
enum { LARGEST_BLOCK = 64 * WIDTH };

/* One output. */
DEVICE sample fir_one(const sample *x, const sample *tap)
{
    sample sum = 0;

    if (SYMMETRIC) {
        /* Half of the products, since tap[t] == tap[TAPS - 1 - t]. */
        UNROLL
        for (i32 t = 0; t < TAPS / 2; t++)
            sum = multiply_add(tap[t], x[t] + x[TAPS - 1 - t], sum);
        if (TAPS % 2)
            sum = multiply_add(tap[TAPS / 2], x[TAPS / 2], sum);
    } else {
        UNROLL
        for (i32 t = 0; t < TAPS; t++)
            sum = multiply_add(tap[t], x[t], sum);
    }
    return sum;
}

/* y[i] = sum over t of tap[t] * x[i + t], for i below count. */
KERNEL void fir(LENGTH("count + TAPS - 1") const sample *RESTRICT x,
                LENGTH("TAPS") const sample *RESTRICT tap,
                LENGTH("count") sample *RESTRICT y, i64 count)
{
    i64 i = 0;

    for (; i + WIDTH <= count; i += WIDTH) {
        UNROLL
        for (i32 lane = 0; lane < WIDTH; lane++)
            y[i + lane] = fir_one(x + i + lane, tap);
    }
    for (; i < count; i++)
        y[i] = fir_one(x + i, tap);
}

/* A histogram of the outputs' signs: negative, zero, positive. */
static void count_signs(const sample *y, i64 count, i64 *bin)
{
    const u32 shift = (u32)(TAPS > 4) * 2u;

    UNROLL
    for (i32 b = 0; b < 3; b++)
        bin[b] = 0;
    for (i64 i = 0; i < count; i++)
        bin[y[i] < 0 ? 0 : y[i] > 0 ? 2 : 1] += (i64)1 << shift >> shift;
}

/* The filter and its histogram; the number of outputs done. */
i64 fir_run(const sample *x, const sample *tap, sample *y, i64 count, i64 *bin)
{
    const i64 done = count < LARGEST_BLOCK ? count : LARGEST_BLOCK;
    fir(x, tap, y, done);
    count_signs(y, done, bin);
    return done;
}
