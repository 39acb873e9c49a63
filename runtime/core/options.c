/* options.c: see options.h. Thread-safe: no shared state. */
#include "runtime/core/options.h"

#include "runtime/base/error.h"
#include "runtime/core/threads/team.h"

#include <inttypes.h>
#include <stddef.h>

spmv_status spmv_threads_check(int32_t threads, spmv_parallel_for *parallel_for, void *context,
                               spmv_error *err)
{
    if (threads < 0 || threads > SPMV_MAX_THREADS)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.threads is %" PRId32 "; expected 0 (all) to %d", threads,
                              SPMV_MAX_THREADS);
    if (parallel_for == NULL && context != NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.parallel_for_context is set, but options.parallel_for is "
                              "NULL; set both or neither");
    return SPMV_OK;
}

spmv_status spmv_runs_check(int32_t *expected_runs, spmv_error *err)
{
    if (*expected_runs < 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.expected_runs is %" PRId32 "; expected 0 (%d) or more",
                              *expected_runs, SPMV_EXPECTED_RUNS);
    if (*expected_runs == 0)
        *expected_runs = SPMV_EXPECTED_RUNS;
    return SPMV_OK;
}
