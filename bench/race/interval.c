/* interval.c: see interval.h. */
#include "bench/race/interval.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *numbers, size_t count)
{
    if (count == 0)
        return 0;
    qsort(numbers, count, sizeof *numbers, compare);
    return count % 2 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}

/* The number k of samples to leave out at each end: the largest with P(B < k) <= 2.5 % for B the
 * number of samples below the median, a binomial with probability 1/2. */
static size_t left_out(size_t count)
{
    enum { EXACT = 500 };        /* 2^-500 is far from underflow */
    double chance = ldexp(1, -(int)count), sum = chance;
    size_t k = 0;

    if (count > EXACT)           /* the normal approximation */
        return (size_t)(((double)count - 1.96 * sqrt((double)count)) / 2);
    while (sum <= 0.025) {
        chance *= (double)(count - k) / (double)(k + 1);
        sum += chance;
        k++;
    }
    return k;
}

bench_interval bench_interval_of(double *numbers, size_t count)
{
    bench_interval interval = { bench_median(numbers, count), NAN, NAN };

    if (count >= BENCH_INTERVAL_SAMPLES) {
        const size_t k = left_out(count);
        interval.low = numbers[k - 1];
        interval.high = numbers[count - k];
    }
    return interval;
}

double bench_interval_half_width(const bench_interval *interval)
{
    return (interval->high - interval->low) / 2 / interval->median;
}
