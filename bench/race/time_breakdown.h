/* time_breakdown.h: where the time of a multiplication goes, on a device with kernels of its own. */
#ifndef BENCH_TIME_BREAKDOWN_H
#define BENCH_TIME_BREAKDOWN_H

#include <stdbool.h>

#include "runtime/spmv.h"

/* Medians of several multiplications, in seconds. */
typedef struct bench_split {
    double kernels;              /* by the device's clock */
    double host;                 /* steps of the CPU between or behind them */
    double copies;               /* of vectors and of what host steps use, to and from the device */
} bench_split;

/* False: a multiplication failed, or the plan is for the CPU. */
bool bench_split_measure(const spmv_plan *plan, double alpha, const void *x, double beta, void *y,
                         bench_split *out);

#endif
