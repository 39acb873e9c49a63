/* transposing.c: see transposing.h. */
#include "transposing.h"

#include <stdlib.h>
#include <string.h>

static void set_offset(const spmv_csr *csr, void *row_ptr, int64_t row, int64_t value)
{
    if (csr->offset_type == SPMV_I32)
        ((int32_t *)row_ptr)[row] = (int32_t)value;
    else
        ((int64_t *)row_ptr)[row] = value;
}

/* Fills the transpose: a row for each column, in the order of the matrix's entries. */
static void fill(const spmv_csr *csr, const transposing *t, int64_t *next)
{
    for (int64_t k = 0; k < csr->nnz; k++)
        next[csr->col_idx[k] - csr->base + 1]++;
    for (int64_t c = 0; c < csr->cols; c++)
        next[c + 1] += next[c];
    for (int64_t c = 0; c <= csr->cols; c++)
        set_offset(csr, t->matrix->row_ptr, c, next[c] + csr->base);
    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++) {
            const int64_t to = next[csr->col_idx[k] - csr->base]++;

            t->matrix->col_idx[to] = (int32_t)r + csr->base;
            t->source[to] = k;
        }
    transposing_order(t, csr->val, t->matrix->val);
}

bool transposing_create(const spmv_csr *csr, transposing *out)
{
    int64_t *next = calloc((size_t)csr->cols + 1, sizeof *next);
    bool made = false;

    *out = (transposing){ NULL, malloc((size_t)csr->nnz * sizeof *out->source + 1) };
    if (next && out->source &&
        !bench_matrix_create(csr->cols, csr->rows, csr->nnz, csr->base, csr->offset_type,
                             csr->value_type, &out->matrix)) {
        fill(csr, out, next);
        made = true;
    }
    free(next);
    if (!made)
        transposing_destroy(out);
    return made;
}

void transposing_destroy(transposing *t)
{
    bench_matrix_destroy(t->matrix);
    free(t->source);
    *t = (transposing){ NULL, NULL };
}

void transposing_order(const transposing *t, const void *val, void *out)
{
    const size_t bytes = bench_value_bytes(t->matrix->csr.value_type);

    for (int64_t k = 0; k < t->matrix->csr.nnz; k++)
        memcpy((char *)out + (size_t)k * bytes,
               (const char *)val + (size_t)t->source[k] * bytes, bytes);
}

void transposing_restore(const transposing *t, const void *val, void *out)
{
    const size_t bytes = bench_value_bytes(t->matrix->csr.value_type);

    for (int64_t k = 0; k < t->matrix->csr.nnz; k++)
        memcpy((char *)out + (size_t)t->source[k] * bytes,
               (const char *)val + (size_t)k * bytes, bytes);
}

void transposing_restore_columns(const transposing *t, const int32_t *col_idx, int32_t *out)
{
    const spmv_csr *csr = &t->matrix->csr;

    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++)
            out[t->source[k]] =
                col_idx[k] == t->matrix->col_idx[k] ? (int32_t)r + csr->base : -1;
}
