/* start.c: see start.h. Thread-safe: no shared state. */
#include "runtime/core/start.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/core/matrix_check.h"

#include <inttypes.h>

spmv_status spmv_plan_options_check(spmv_options *known, spmv_error *err)
{
#if SPMV_BUNDLE
    if (known->parallel_for != NULL && known->threads == 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.parallel_for is set, but options.threads is 0; set it to "
                              "the number of threads, 1 to %d", SPMV_MAX_THREADS);
#else
    if (known->settings != NULL && known->method == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.settings is '%.64s', but options.method is NULL; settings "
                              "belong to a method: name it", known->settings);
#endif
    if (known->threads < 0 || known->threads > SPMV_MAX_THREADS)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.threads is %" PRId32 "; expected 0 (all) to %d",
                              known->threads, SPMV_MAX_THREADS);
#if !SPMV_BUNDLE
    if (known->symmetric < SPMV_SYMMETRIC_NONE || known->symmetric > SPMV_SYMMETRIC_UPPER)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.symmetric is %" PRId32 "; expected SPMV_SYMMETRIC_NONE (0), "
                              "_FULL (1), _LOWER (2) or _UPPER (3)", known->symmetric);
    if (known->symmetric)
        known->transposed = 0;
#endif
    if (known->parallel_for == NULL && known->parallel_for_context != NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.parallel_for_context is set, but options.parallel_for is "
                              "NULL; set both or neither");
#if !SPMV_BUNDLE_STATIC
    if (known->expected_runs < 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "options.expected_runs is %" PRId32 "; expected 0 (%d) or more",
                              known->expected_runs, SPMV_EXPECTED_RUNS);
    if (known->expected_runs == 0)
        known->expected_runs = SPMV_EXPECTED_RUNS;
#endif
    return SPMV_OK;
}

#if !SPMV_BUNDLE_STATIC

enum { THREAD_WEIGHT = 4096 };   /* rows or nonzeros that make waking a thread worthwhile */

/* A small matrix does not profit from all threads of the machine. */
static int32_t useful_threads(const spmv_csr *csr, int32_t threads)
{
    const int64_t useful = csr->rows / THREAD_WEIGHT + csr->nnz / THREAD_WEIGHT;

    return useful < 1 ? 1 : useful < threads ? (int32_t)useful : threads;
}

/* Transposing reads and writes by columns, and mirrors are found by them, so they are checked. */
static int needs_columns(const spmv_options *known)
{
#if SPMV_BUNDLE
    (void)known;
    return 0;
#else
    return known->transposed || known->symmetric;
#endif
}

spmv_status spmv_plan_start(const spmv_csr *csr, const spmv_options *known, spmv_plan **out,
                            spmv_error *err)
{
    spmv_threads threads =
        spmv_threads_wanted(known->threads, known->parallel_for, known->parallel_for_context);
    const spmv_status status =
        spmv_matrix_check(csr, known->full_check || needs_columns(known), &threads, err);

    *out = NULL;
    if (status != SPMV_OK)
        return status;
    *out = (spmv_plan *)spmv_memory_alloc_zeroed(sizeof **out);
    if (*out == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the " SPMV_PLAN_WORD);
    if (known->threads == 0)
        threads.count = useful_threads(csr, threads.count);
    (*out)->threads = threads;
    return SPMV_OK;
}

#endif
