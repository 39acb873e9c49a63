/* admit.c: see admit.h. Thread-safe: no shared state. */
#include "runtime/library/matrix/admit.h"

#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "runtime/core/matrix_check.h"

#include <inttypes.h>
#include <stddef.h>

static spmv_status check_types(const spmv_csr *csr, spmv_error *err)
{
    if (spmv_stored_bytes(csr->value_type) == 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "csr.value_type is %d; expected SPMV_F32 (%d), SPMV_F64 (%d), "
                              "SPMV_F16 (%d) or SPMV_BF16 (%d)",
                              (int)csr->value_type, SPMV_F32, SPMV_F64, SPMV_F16, SPMV_BF16);
    if (spmv_offset_bytes(csr->offset_type) == 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "csr.offset_type is %d; expected SPMV_I32 (%d) or SPMV_I64 (%d)",
                              (int)csr->offset_type, SPMV_I32, SPMV_I64);
    if (csr->base != 0 && csr->base != 1)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              "csr.base is %" PRId32 "; expected 0 or 1",
                              csr->base);
    return SPMV_OK;
}

spmv_status spmv_matrix_check_sizes(const spmv_csr *csr, spmv_error *err)
{
    spmv_status status;

    if (csr == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "csr is NULL; expected a matrix");
    if ((status = check_types(csr, err)) != SPMV_OK)
        return status;
    if (csr->nnz < 0)
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              "csr.nnz is %" PRId64 "; expected row_ptr[rows] - base, which is "
                              "never negative", csr->nnz);
    return spmv_sizes_check(csr, spmv_stored_bytes(csr->value_type),
                            spmv_stored_alignment(csr->value_type), err);
}

spmv_status spmv_matrix_check(const spmv_csr *csr, int columns, const spmv_threads *threads,
                              spmv_error *err)
{
    spmv_status status = spmv_matrix_check_sizes(csr, err);

    if (status != SPMV_OK)
        return status;
    if (spmv_offset_at(csr, 0) != csr->base)
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              "csr.row_ptr[0] is %" PRId64 "; expected csr.base, which is %" PRId32,
                              spmv_offset_at(csr, 0), csr->base);
    if ((status = spmv_row_ptr_check(csr, threads, err)) != SPMV_OK)
        return status;
    if (spmv_offset_at(csr, csr->rows) != csr->base + csr->nnz)
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              "csr.row_ptr[rows] is %" PRId64 "; expected base + nnz, which is %"
                              PRId64, spmv_offset_at(csr, csr->rows), csr->base + csr->nnz);
    return columns ? spmv_columns_check(csr, threads, err) : SPMV_OK;
}
