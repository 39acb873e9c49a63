/* create_typed.c: the functions that create a matrix, one for each pair of types. */
#include "runtime/bundle/arguments.h"
#include "runtime/bundle/create.h"

#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_create_f32_with(int32_t rows, int32_t cols, const int32_t *row_ptr,
                                         const int32_t *col_idx, const float *val,
                                         const spmv_matrix_options *options, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I32, row_ptr, col_idx, SPMV_F32, val,
                                           &csr, error);

    return spmv_bundle_create("spmv_matrix_create_f32", NULL, &csr, status, options, error);
}

spmv_matrix *spmv_matrix_create_f32(int32_t rows, int32_t cols, const int32_t *row_ptr,
                                    const int32_t *col_idx, const float *val, spmv_error *error)
{
    return spmv_matrix_create_f32_with(rows, cols, row_ptr, col_idx, val, NULL, error);
}
#endif

#if SPMV_BUNDLE_F32 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_create_f32_i64_with(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                             const int32_t *col_idx, const float *val,
                                             const spmv_matrix_options *options, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I64, row_ptr, col_idx, SPMV_F32, val,
                                           &csr, error);

    return spmv_bundle_create("spmv_matrix_create_f32_i64", NULL, &csr, status, options, error);
}

spmv_matrix *spmv_matrix_create_f32_i64(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                        const int32_t *col_idx, const float *val, spmv_error *error)
{
    return spmv_matrix_create_f32_i64_with(rows, cols, row_ptr, col_idx, val, NULL, error);
}
#endif

#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I32
spmv_matrix *spmv_matrix_create_f64_with(int32_t rows, int32_t cols, const int32_t *row_ptr,
                                         const int32_t *col_idx, const double *val,
                                         const spmv_matrix_options *options, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I32, row_ptr, col_idx, SPMV_F64, val,
                                           &csr, error);

    return spmv_bundle_create("spmv_matrix_create_f64", NULL, &csr, status, options, error);
}

spmv_matrix *spmv_matrix_create_f64(int32_t rows, int32_t cols, const int32_t *row_ptr,
                                    const int32_t *col_idx, const double *val, spmv_error *error)
{
    return spmv_matrix_create_f64_with(rows, cols, row_ptr, col_idx, val, NULL, error);
}
#endif

#if SPMV_BUNDLE_F64 && SPMV_BUNDLE_I64
spmv_matrix *spmv_matrix_create_f64_i64_with(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                             const int32_t *col_idx, const double *val,
                                             const spmv_matrix_options *options, spmv_error *error)
{
    spmv_csr csr;
    const spmv_status status = spmv_csr_of(rows, cols, SPMV_I64, row_ptr, col_idx, SPMV_F64, val,
                                           &csr, error);

    return spmv_bundle_create("spmv_matrix_create_f64_i64", NULL, &csr, status, options, error);
}

spmv_matrix *spmv_matrix_create_f64_i64(int32_t rows, int32_t cols, const int64_t *row_ptr,
                                        const int32_t *col_idx, const double *val,
                                        spmv_error *error)
{
    return spmv_matrix_create_f64_i64_with(rows, cols, row_ptr, col_idx, val, NULL, error);
}
#endif
