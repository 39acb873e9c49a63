/* arguments.c: see arguments.h. Thread-safe: no shared state. */
#include "runtime/bundle/arguments.h"

#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "runtime/core/matrix_check.h"
#include "runtime/core/operands.h"
#include "runtime/core/options.h"

#include <inttypes.h>
#include <string.h>

/* Takes base and nnz from row_ptr. */
static spmv_status read_ends(spmv_csr *csr, spmv_error *error)
{
    const int64_t first = spmv_offset_at(csr, 0);
    const int64_t last = spmv_offset_at(csr, csr->rows);

    if (first != 0 && first != 1)
        return spmv_error_set(error, SPMV_INVALID_MATRIX,
                              "row_ptr[0] is %" PRId64 "; expected 0 or 1, the base of all offsets "
                              "and columns", first);
    if (last < first)
        return spmv_error_set(error, SPMV_INVALID_MATRIX,
                              "row_ptr[rows] is %" PRId64 "; expected row_ptr[0], which is %" PRId64
                              ", or more", last, first);
    csr->base = (int32_t)first;
    csr->nnz = last - first;
    return SPMV_OK;
}

spmv_status spmv_csr_of(int32_t rows, int32_t cols, spmv_offset_type offset_type,
                        const void *row_ptr, const int32_t *col_idx, spmv_value_type value_type,
                        const void *val, spmv_csr *csr, spmv_error *error)
{
    memset(csr, 0, sizeof *csr);
    csr->rows = rows;
    csr->cols = cols;
    csr->offset_type = offset_type;
    csr->row_ptr = row_ptr;
    csr->col_idx = col_idx;
    csr->value_type = value_type;
    csr->val = val;
    if (rows < 0)
        return spmv_error_set(error, SPMV_INVALID_MATRIX,
                              "rows is %" PRId32 "; expected 0 or more", rows);
    if (row_ptr == NULL)
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT,
                              "row_ptr is NULL; expected an array of %" PRId64, csr->rows + 1);
    if (!spmv_is_aligned(row_ptr, spmv_offset_alignment(offset_type)))
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT,
                              "row_ptr is at %p; expected a multiple of %zu bytes, the size of its "
                              "elements", row_ptr, spmv_offset_alignment(offset_type));
    return read_ends(csr, error);
}

spmv_status spmv_options_of(const spmv_matrix_options *options, spmv_matrix_options *known,
                            spmv_error *error)
{
    spmv_status status;

    if (options != NULL)
        *known = *options;
    else
        memset(known, 0, sizeof *known);
    if (known->parallel_for != NULL && known->threads == 0)
        return spmv_error_set(error, SPMV_INVALID_ARGUMENT,
                              "options.parallel_for is set, but options.threads is 0; set it to "
                              "the number of threads, 1 to %d", SPMV_MAX_THREADS);
    status = spmv_threads_check(known->threads, known->parallel_for, known->parallel_for_context,
                                error);
#if !SPMV_BUNDLE_STATIC
    if (status == SPMV_OK)
        status = spmv_runs_check(&known->expected_runs, error);
#endif
    return status;
}

spmv_status spmv_bundle_check(const spmv_csr *csr, int columns, const spmv_threads *threads,
                              spmv_error *error)
{
    spmv_status status;

    if ((status = spmv_sizes_check(csr, spmv_value_bytes(csr->value_type),
                                   spmv_value_alignment(csr->value_type), error)) != SPMV_OK ||
        (status = spmv_row_ptr_check(csr, threads, error)) != SPMV_OK)
        return status;
    return columns ? spmv_columns_check(csr, threads, error) : SPMV_OK;
}

spmv_status spmv_bundle_check_job(const spmv_job *job, const spmv_method_ops *module_ops)
{
    const spmv_operands operands = spmv_operands_of(job->layout, module_ops);
    spmv_ranges read;

    spmv_ranges_find(&read, job->layout);
    return spmv_operands_check(&operands, &read, job->alpha, job->x, job->y);
}
