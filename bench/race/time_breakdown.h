/* time_breakdown.h: times of the parts of a multiplication on a device that is not the CPU. */
#ifndef BENCH_TIME_BREAKDOWN_H
#define BENCH_TIME_BREAKDOWN_H

#include <stdbool.h>

#include "runtime/spmv.h"

/* Medians of several multiplications, in seconds. */
typedef struct bench_time_breakdown {
    double kernels;              /* by the device's clock */
    double host;                 /* steps of the CPU between or after kernels */
    double copies;               /* of vectors and of the data of host steps */
} bench_time_breakdown;

/* False: a multiplication failed, or the plan runs on the CPU. */
bool bench_time_breakdown_measure(const spmv_plan *plan, double alpha, const void *x, double beta,
                                  void *y, bench_time_breakdown *out);

#endif
