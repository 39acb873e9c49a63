/* explain.h: --explain: shows the method that a plan chooses, and its candidates. */
#ifndef BENCH_EXPLAIN_H
#define BENCH_EXPLAIN_H

#include "bench/race/devices.h"

#include "runtime/spmv.h"

/* Makes the matrix and a plan on each device. Only --measure multiplies and times. On failure
 * returns false with a sentence in error. */
bool bench_explain(const bench_options *options, const bench_devices *devices, FILE *out,
                   spmv_error *error);

#endif
