/* interval.h: the median of samples, and its 95 % confidence interval by order statistics: the
 * median lies between the k-th least and the k-th largest sample with at least that probability,
 * whatever the distribution of the samples is. */
#ifndef BENCH_INTERVAL_H
#define BENCH_INTERVAL_H

#include <stddef.h>

/* The fewest samples with an interval: for 5, least and largest enclose the median in 94 %. */
enum { BENCH_INTERVAL_SAMPLES = 6 };

typedef struct bench_interval {
    double median;               /* 0: no samples */
    double low, high;            /* NaN: too few samples */
} bench_interval;

/* Sorts the numbers. */
bench_interval bench_interval_of(double *numbers, size_t count);

/* Half of the width over the median: 0.02 is an interval of +-2 %. NaN: unknown. */
double bench_interval_half_width(const bench_interval *interval);

/* The median of `count` numbers, which it sorts; 0 if there are none. */
double bench_median(double *numbers, size_t count);

#endif
