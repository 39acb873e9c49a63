/* options.h: checks of the options that plans of libspmv and matrices of bundles have in common. */
#ifndef SPMV_CORE_OPTIONS_H
#define SPMV_CORE_OPTIONS_H

#include "runtime/spmv.h"

/* Checks options.threads and options.parallel_for_context. */
spmv_status spmv_threads_check(int32_t threads, spmv_parallel_for *parallel_for, void *context,
                               spmv_error *err);

/* Checks options.expected_runs, and replaces 0 by its default. */
spmv_status spmv_runs_check(int32_t *expected_runs, spmv_error *err);

#endif
