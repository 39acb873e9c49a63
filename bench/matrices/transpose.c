/* transpose.c: see transpose.h. */
#include "bench/matrices/transpose.h"

#include <stdlib.h>
#include <string.h>

static void set_offset(const bench_matrix *matrix, int64_t row, int64_t offset)
{
    if (matrix->csr.offset_type == SPMV_I32)
        ((int32_t *)matrix->row_ptr)[row] = (int32_t)offset;
    else
        ((int64_t *)matrix->row_ptr)[row] = offset;
}

/* next[c]: the place of the next entry of row c of the transpose. */
static void fill(const spmv_csr *csr, int64_t *next, const bench_matrix *to)
{
    const size_t bytes = bench_value_bytes(csr->value_type);

    for (int64_t k = 0; k < csr->nnz; k++)
        next[csr->col_idx[k] - csr->base + 1]++;
    for (int64_t c = 0; c < csr->cols; c++)
        next[c + 1] += next[c];
    for (int64_t c = 0; c <= csr->cols; c++)
        set_offset(to, c, next[c]);
    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++) {
            const size_t place = (size_t)next[csr->col_idx[k] - csr->base]++;
            to->col_idx[place] = (int32_t)r;
            memcpy((char *)to->val + place * bytes, (const char *)csr->val + (size_t)k * bytes,
                   bytes);
        }
}

spmv_status bench_matrix_transpose(const spmv_csr *csr, bench_matrix **out)
{
    int64_t *next = calloc((size_t)csr->cols + 1, sizeof *next);
    spmv_status status = next ? SPMV_OK : SPMV_OUT_OF_MEMORY;

    *out = NULL;
    if (!status)
        status = bench_matrix_create(csr->cols, csr->rows, csr->nnz, 0, csr->offset_type,
                                     csr->value_type, out);
    if (!status)
        fill(csr, next, *out);
    free(next);
    return status;
}
