/* build.h: emits and compiles the variants of a sweep, several at once. */
#ifndef BENCH_SWEEP_BUILD_H
#define BENCH_SWEEP_BUILD_H

#include "bench/sweep/spmvgen.h"
#include "bench/sweep/variant.h"
#include "runtime/spmv.h"

/* Sets the state of each variant, with its file or its reason. offset: the only type of row
 * pointers; NULL: both. Interrupted or failed: a sentence is in error, and no program runs any
 * more. */
bench_sweep_status bench_sweep_build(const bench_spmvgen *spmvgen, const char *offset,
                                     bench_sweep *sweep, spmv_error *error);

#endif
