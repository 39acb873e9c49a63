/* transpose.c: see transpose.h. Thread-safe: no shared state. */
#include "runtime/matrix/transpose.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/types.h"

static int64_t offset_at(const void *offsets, spmv_offset_type type, int64_t index)
{
    return type == SPMV_I32 ? ((const int32_t *)offsets)[index]
                            : ((const int64_t *)offsets)[index];
}

static void set_offset(void *offsets, spmv_offset_type type, int64_t index, int64_t value)
{
    if (type == SPMV_I32)
        ((int32_t *)offsets)[index] = (int32_t)value;
    else
        ((int64_t *)offsets)[index] = value;
}

/* A counting sort of the entries by column. */
static void sort_entries(const spmv_csr *a, spmv_transposed *t, void *row_ptr, int32_t *col_idx)
{
    const spmv_offset_type type = a->offset_type;

    for (int64_t k = 0; k < a->nnz; k++) {
        const int64_t row = a->col_idx[k] - a->base + 1;
        set_offset(row_ptr, type, row, offset_at(row_ptr, type, row) + 1);
    }
    for (int64_t row = 0; row < a->cols; row++)
        set_offset(row_ptr, type, row + 1,
                   offset_at(row_ptr, type, row) + offset_at(row_ptr, type, row + 1));
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = spmv_offset_at(a, i) - a->base; k < spmv_offset_at(a, i + 1) - a->base;
             k++) {
            const int64_t row = a->col_idx[k] - a->base;
            const int64_t next = offset_at(row_ptr, type, row);
            col_idx[next] = (int32_t)i;
            set_offset(t->place, type, next, k);
            set_offset(row_ptr, type, row, next + 1);
        }
    for (int64_t row = a->cols; row > 0; row--)
        set_offset(row_ptr, type, row, offset_at(row_ptr, type, row - 1));
    set_offset(row_ptr, type, 0, 0);
}

spmv_status spmv_transposed_create(const spmv_csr *csr, const spmv_threads *threads,
                                   spmv_transposed **out, spmv_error *err)
{
    const size_t offset_bytes = spmv_offset_bytes(csr->offset_type);
    const size_t nnz = (size_t)csr->nnz;
    spmv_transposed *t = (spmv_transposed *)spmv_memory_alloc_zeroed(sizeof *t);
    void *row_ptr = spmv_memory_alloc_zeroed(((size_t)csr->cols + 1) * offset_bytes);
    int32_t *col_idx = (int32_t *)spmv_memory_alloc(nnz * sizeof *col_idx);
    void *val = spmv_memory_alloc(nnz * spmv_value_bytes(csr->value_type));

    if (t != NULL) {
        t->csr = *csr;
        t->csr.rows = csr->cols;
        t->csr.cols = csr->rows;
        t->csr.base = 0;
        t->csr.row_ptr = row_ptr;
        t->csr.col_idx = col_idx;
        t->csr.val = val;
        t->place = spmv_memory_alloc(nnz * offset_bytes);
    }
    *out = t;
    if (t == NULL || row_ptr == NULL || col_idx == NULL || val == NULL || t->place == NULL) {
        if (t == NULL) {
            spmv_memory_free(row_ptr);
            spmv_memory_free(col_idx);
            spmv_memory_free(val);
        }
        spmv_transposed_destroy(t);
        *out = NULL;
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the transposed matrix");
    }
    sort_entries(csr, t, row_ptr, col_idx);
    spmv_transposed_take_values(t, threads, csr->val);
    return SPMV_OK;
}

void spmv_transposed_take_values(spmv_transposed *t, const spmv_threads *threads, const void *val)
{
    void *to = (void *)(uintptr_t)t->csr.val;

    (void)threads;
    for (int64_t k = 0; k < t->csr.nnz; k++) {
        const int64_t from = offset_at(t->place, t->csr.offset_type, k);
        if (t->csr.value_type == SPMV_F32)
            ((float *)to)[k] = ((const float *)val)[from];
        else
            ((double *)to)[k] = ((const double *)val)[from];
    }
}

void spmv_transposed_destroy(spmv_transposed *t)
{
    if (t == NULL)
        return;
    spmv_memory_free((void *)(uintptr_t)t->csr.row_ptr);
    spmv_memory_free((void *)(uintptr_t)t->csr.col_idx);
    spmv_memory_free((void *)(uintptr_t)t->csr.val);
    spmv_memory_free(t->place);
    spmv_memory_free(t);
}
