/* kernels.h: the kernels of a method and value type with other values of its parameters: emitted
 * and compiled in batches by the sweep, found by the text of their values. */
#ifndef BENCH_TUNE_KERNELS_H
#define BENCH_TUNE_KERNELS_H

#include "bench/race/devices.h"

#include "runtime/spmv.h"

/* A sweep of one batch, with its devices. */
typedef struct bench_kernel_batch {
    bench_sweep sweep;
    bench_devices devices;
} bench_kernel_batch;

typedef struct bench_kernels {
    const bench_options *options;
    const char *target, *method, *type;  /* target: a word of the command line */
    bench_kernel_batch **batch;
    size_t count;
} bench_kernels;

/* Compiles kernels for these values, "KEY=VALUE KEY=VALUE" or "", and prints which of them are
 * illegal or fail. BENCH_SWEEP_DONE, even if none can race; else a sentence is in error. */
bench_sweep_status bench_kernels_add(bench_kernels *kernels, const char *const *set, size_t count,
                                     spmv_error *error);
void bench_kernels_free(bench_kernels *kernels);

/* Whether any of the kernels can race here: it is legal, compiled, and its device is there. */
bool bench_kernels_can_race(const bench_kernels *kernels);

/* The kernel with these values for the types of a matrix. False: none can race. */
bool bench_kernels_find(const bench_kernels *kernels, const char *set, const spmv_csr *csr,
                        bench_candidate *out);

#endif
