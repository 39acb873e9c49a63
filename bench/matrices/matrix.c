/* matrix.c: see matrix.h. */
#include "bench/matrices/matrix.h"

#include <stdbool.h>
#include <stdlib.h>

/* ---- any CSR ------------------------------------------------------------------------------- */

size_t bench_value_bytes(spmv_value_type type)
{
    return type == SPMV_F32 ? sizeof(float) : sizeof(double);
}

size_t bench_offset_bytes(spmv_offset_type type)
{
    return type == SPMV_I32 ? sizeof(int32_t) : sizeof(int64_t);
}

double bench_value(spmv_value_type type, const void *values, int64_t index)
{
    return type == SPMV_F32 ? (double)((const float *)values)[index]
                            : ((const double *)values)[index];
}

double bench_csr_value(const spmv_csr *csr, int64_t k)
{
    return bench_value(csr->value_type, csr->val, k);
}

int64_t bench_csr_offset(const spmv_csr *csr, int64_t row)
{
    const int64_t offset = csr->offset_type == SPMV_I32 ? ((const int32_t *)csr->row_ptr)[row]
                                                        : ((const int64_t *)csr->row_ptr)[row];
    return offset - csr->base;
}

int64_t bench_csr_length(const spmv_csr *csr, int64_t row)
{
    return bench_csr_offset(csr, row + 1) - bench_csr_offset(csr, row);
}

bench_row_lengths bench_csr_row_lengths(const spmv_csr *csr)
{
    bench_row_lengths lengths = { 0, 0, 0, 0 };

    if (csr->rows == 0)
        return lengths;
    lengths.min = INT64_MAX;
    for (int64_t r = 0; r < csr->rows; r++) {
        const int64_t length = bench_csr_offset(csr, r + 1) - bench_csr_offset(csr, r);
        if (length < lengths.min)
            lengths.min = length;
        if (length > lengths.max)
            lengths.max = length;
        lengths.empty += length == 0;
    }
    lengths.average = (double)csr->nnz / (double)csr->rows;
    return lengths;
}

double bench_csr_bytes(const spmv_csr *csr, int reads_y)
{
    const double value = (double)bench_value_bytes(csr->value_type);

    return (double)csr->nnz * (value + sizeof(int32_t)) +
           (double)(csr->rows + 1) * (double)bench_offset_bytes(csr->offset_type) +
           (double)csr->rows * value * (reads_y ? 2 : 1) + (double)csr->cols * value;
}

/* ---- matrices ------------------------------------------------------------------------------ */

/* calloc of at least one element, so that NULL means failure. */
static void *allocate(int64_t count, size_t bytes)
{
    return (uint64_t)count < SIZE_MAX ? calloc(count > 0 ? (size_t)count : 1, bytes) : NULL;
}

spmv_status bench_matrix_create(int64_t rows, int64_t cols, int64_t nnz, int32_t base,
                                spmv_offset_type offset_type, spmv_value_type value_type,
                                bench_matrix **out)
{
    *out = NULL;
    if (rows < 0 || cols < 0 || nnz < 0 || rows > INT32_MAX || cols > INT32_MAX)
        return SPMV_INVALID_MATRIX;
    if (offset_type == SPMV_I32 && nnz + base > INT32_MAX)
        return SPMV_OVERFLOW;

    bench_matrix *matrix = calloc(1, sizeof *matrix);
    if (!matrix)
        return SPMV_OUT_OF_MEMORY;
    matrix->row_ptr = allocate(rows + 1, bench_offset_bytes(offset_type));
    matrix->col_idx = allocate(nnz, sizeof *matrix->col_idx);
    matrix->val = allocate(nnz, bench_value_bytes(value_type));
    if (!matrix->row_ptr || !matrix->col_idx || !matrix->val) {
        bench_matrix_destroy(matrix);
        return SPMV_OUT_OF_MEMORY;
    }
    matrix->csr = (spmv_csr){
        .rows = rows, .cols = cols, .nnz = nnz, .base = base,
        .row_ptr = matrix->row_ptr, .col_idx = matrix->col_idx, .val = matrix->val,
        .offset_type = offset_type, .value_type = value_type,
    };
    *out = matrix;
    return SPMV_OK;
}

void bench_matrix_destroy(bench_matrix *matrix)
{
    if (!matrix)
        return;
    free(matrix->row_ptr);
    free(matrix->col_idx);
    free(matrix->val);
    free(matrix);
}

spmv_status bench_matrix_convert(const spmv_csr *from, int32_t base, spmv_offset_type offset_type,
                                 spmv_value_type value_type, bench_matrix **out)
{
    bench_matrix *to;
    const spmv_status status = bench_matrix_create(from->rows, from->cols, from->nnz, base,
                                                   offset_type, value_type, &to);
    *out = to;
    if (status)
        return status;
    for (int64_t r = 0; r <= from->rows; r++) {
        if (offset_type == SPMV_I32)
            ((int32_t *)to->row_ptr)[r] = (int32_t)(bench_csr_offset(from, r) + base);
        else
            ((int64_t *)to->row_ptr)[r] = bench_csr_offset(from, r) + base;
    }
    for (int64_t k = 0; k < from->nnz; k++) {
        to->col_idx[k] = from->col_idx[k] - from->base + base;
        if (value_type == SPMV_F32)
            ((float *)to->val)[k] = (float)bench_csr_value(from, k);
        else
            ((double *)to->val)[k] = bench_csr_value(from, k);
    }
    return SPMV_OK;
}

/* ---- builder ------------------------------------------------------------------------------- */

struct bench_builder {
    int64_t cols, rows, nnz;
    int64_t row_space, entry_space;
    int64_t *row_ptr;            /* rows + 1 offsets */
    int32_t *col_idx;
    double *val;
    spmv_status failed;
};

static bool grow(void **array, int64_t count, size_t bytes)
{
    if ((uint64_t)count > SIZE_MAX / bytes)
        return false;
    void *grown = realloc(*array, (size_t)count * bytes);
    if (!grown)
        return false;
    *array = grown;
    return true;
}

bench_builder *bench_builder_create(int64_t cols)
{
    bench_builder *builder = calloc(1, sizeof *builder);

    if (!builder)
        return NULL;
    builder->cols = cols;
    builder->row_space = 64;
    builder->entry_space = 256;
    if (!grow((void **)&builder->row_ptr, builder->row_space, sizeof *builder->row_ptr) ||
        !grow((void **)&builder->col_idx, builder->entry_space, sizeof *builder->col_idx) ||
        !grow((void **)&builder->val, builder->entry_space, sizeof *builder->val))
        builder->failed = SPMV_OUT_OF_MEMORY;
    else
        builder->row_ptr[0] = 0;
    return builder;
}

void bench_builder_add(bench_builder *builder, int64_t col, double value)
{
    if (builder->failed)
        return;
    if (col < 0 || col >= builder->cols) {
        builder->failed = SPMV_INVALID_MATRIX;
        return;
    }
    if (builder->nnz == builder->entry_space) {
        builder->entry_space *= 2;
        if (!grow((void **)&builder->col_idx, builder->entry_space, sizeof *builder->col_idx) ||
            !grow((void **)&builder->val, builder->entry_space, sizeof *builder->val)) {
            builder->failed = SPMV_OUT_OF_MEMORY;
            return;
        }
    }
    builder->col_idx[builder->nnz] = (int32_t)col;
    builder->val[builder->nnz++] = value;
}

void bench_builder_end_row(bench_builder *builder)
{
    if (builder->failed)
        return;
    if (builder->rows + 1 == builder->row_space) {
        builder->row_space *= 2;
        if (!grow((void **)&builder->row_ptr, builder->row_space, sizeof *builder->row_ptr)) {
            builder->failed = SPMV_OUT_OF_MEMORY;
            return;
        }
    }
    builder->row_ptr[++builder->rows] = builder->nnz;
}

spmv_status bench_builder_finish(bench_builder *builder, bench_matrix **out)
{
    *out = NULL;
    if (!builder)
        return SPMV_OUT_OF_MEMORY;

    spmv_status status = builder->failed;
    if (!status && (builder->rows > INT32_MAX || builder->cols > INT32_MAX))
        status = SPMV_INVALID_MATRIX;
    bench_matrix *matrix = status ? NULL : calloc(1, sizeof *matrix);
    if (!status && !matrix)
        status = SPMV_OUT_OF_MEMORY;
    if (!status) {
        /* Entries of a row that was not ended are dropped. */
        matrix->row_ptr = builder->row_ptr;
        matrix->col_idx = builder->col_idx;
        matrix->val = builder->val;
        matrix->csr = (spmv_csr){
            .rows = builder->rows, .cols = builder->cols,
            .nnz = builder->row_ptr[builder->rows],
            .row_ptr = matrix->row_ptr, .col_idx = matrix->col_idx, .val = matrix->val,
            .offset_type = SPMV_I64, .value_type = SPMV_F64,
        };
        *out = matrix;
    } else {
        free(builder->row_ptr);
        free(builder->col_idx);
        free(builder->val);
    }
    free(builder);
    return status;
}
