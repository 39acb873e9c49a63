/* values.h: the values of a matrix: how many differ, and whether a smaller type holds them. */
#ifndef BENCH_VALUES_H
#define BENCH_VALUES_H

#include "bench/matrices/matrix.h"

enum { BENCH_DISTINCT_MOST = 65536, BENCH_DISTINCT_SHOWN = 4 };

typedef struct bench_values {
    int64_t distinct;            /* counted up to BENCH_DISTINCT_MOST + 1 */
    double shown[BENCH_DISTINCT_SHOWN];  /* ascending, if distinct is not above this */
    int64_t zeros, non_finite;
    int64_t inexact;             /* values that f32 rounds */
} bench_values;

spmv_status bench_values_compute(const spmv_csr *csr, bench_values *out);

#endif
