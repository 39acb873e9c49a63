/* transpose.c: see transpose.h. Thread-safe: no shared state. */
#include "runtime/library/matrix/transpose.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/types.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/library/matrix/column_count.h"
#include "runtime/library/matrix/column_sort.h"

#include <string.h>

enum { CHUNK = 16384 };          /* rows or entries that a thread does at least */

/* ---- the struct ------------------------------------------------------------------------------ */

/* Transposing costs about as much as moving these bytes for each entry, new memory included, by
 * measurement (docs/experiments.md#transposed-products); a multiplication moves 12 in f64. */
static const double direct_bytes = 150, bucket_bytes = 300;

static size_t row_ptr_bytes(const spmv_csr *csr)
{
    return ((size_t)csr->rows + 1) * spmv_offset_bytes(csr->offset_type);
}

static size_t val_bytes(const spmv_csr *csr)
{
    return (size_t)csr->nnz * spmv_value_bytes(csr->value_type);
}

/* The arrays are written as a whole, so huge pages save page faults. */
static int allocate(spmv_transpose *t, int has_source)
{
    t->csr.row_ptr = spmv_memory_alloc_streamed(row_ptr_bytes(&t->csr));
    t->csr.col_idx = (const int32_t *)spmv_memory_alloc_streamed((size_t)t->csr.nnz *
                                                                 sizeof(int32_t));
    t->csr.val = spmv_memory_alloc_streamed(val_bytes(&t->csr));
    if (has_source)
        t->source = spmv_memory_alloc_streamed((size_t)t->csr.nnz * t->index_bytes);
    return t->csr.row_ptr != NULL && t->csr.col_idx != NULL && t->csr.val != NULL &&
           (!has_source || t->source != NULL);
}

/* The struct's own array, whose pointer in the csr is for readers. */
static void *own(const void *array)
{
    return (void *)(uintptr_t)array;
}

static spmv_status lacks_memory(const char *what, size_t bytes, spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                          "no memory for %s of the transposed matrix, %zu bytes", what, bytes);
}

spmv_status spmv_transpose_create(const spmv_csr *csr, const spmv_threads *threads,
                                  spmv_transpose **out, spmv_error *err)
{
    const double start = spmv_seconds_now();
    const spmv_sort_way way = spmv_column_sort_way(csr, threads);
    spmv_sorted sorted;
    spmv_transpose *t;
    size_t needed = 0;

    *out = NULL;
    /* Nothing else bounds the columns by the memory of a 32-bit machine. */
    if ((uint64_t)csr->cols >= PTRDIFF_MAX / spmv_offset_bytes(csr->offset_type))
        return lacks_memory("the row pointers", SIZE_MAX, err);
    t = (spmv_transpose *)spmv_memory_alloc_zeroed(sizeof *t);
    if (t == NULL)
        return lacks_memory("the struct", sizeof *t, err);
    t->csr = *csr;
    t->csr.rows = csr->cols;
    t->csr.cols = csr->rows;
    t->csr.base = 0;
    t->base = csr->base;
    t->given_nnz = csr->nnz;
    t->index_bytes = spmv_place_bytes(csr->nnz);
    if (!allocate(t, !spmv_rows_are_sorted(csr, threads))) {
        needed = row_ptr_bytes(&t->csr) + val_bytes(&t->csr) +
                 (size_t)csr->nnz * (sizeof(int32_t) + t->index_bytes);
        spmv_transpose_destroy(t);
        return lacks_memory("the arrays", needed, err);
    }
    sorted = (spmv_sorted){own(t->csr.row_ptr), (int32_t *)own(t->csr.col_idx), own(t->csr.val),
                           t->source, t->index_bytes};
    if (spmv_column_sort(csr, way, threads, &sorted, &needed) != SPMV_OK) {
        spmv_transpose_destroy(t);
        return lacks_memory("the sort", needed, err);
    }
    t->cost = (double)csr->nnz * (way == SPMV_SORT_DIRECT ? direct_bytes : bucket_bytes) +
              (double)csr->cols * 24;
    t->seconds = spmv_seconds_now() - start;
    *out = t;
    return SPMV_OK;
}

void spmv_transpose_destroy(spmv_transpose *t)
{
    if (t == NULL)
        return;
    spmv_memory_free(own(t->csr.row_ptr));
    spmv_memory_free(own(t->csr.col_idx));
    spmv_memory_free(own(t->csr.val));
    spmv_memory_free(t->source);
    spmv_memory_free(t);
}

size_t spmv_transpose_bytes(const spmv_transpose *t, int32_t borrows)
{
    const size_t nnz = (size_t)t->csr.nnz;

    return row_ptr_bytes(&t->csr) +
           ((borrows & SPMV_BORROWS_COL_IDX) != 0 ? nnz * sizeof(int32_t) : 0) +
           ((borrows & SPMV_BORROWS_VAL) != 0 ? val_bytes(&t->csr) : 0) +
           (t->source != NULL ? nnz * t->index_bytes : 0);
}

void spmv_transpose_keep(spmv_transpose *t, int32_t borrows)
{
    if ((borrows & SPMV_BORROWS_COL_IDX) == 0) {
        spmv_memory_free(own(t->csr.col_idx));
        t->csr.col_idx = NULL;
    }
    if ((borrows & SPMV_BORROWS_VAL) == 0) {
        spmv_memory_free(own(t->csr.val));
        t->csr.val = NULL;
    }
}

/* ---- the matrix's order ---------------------------------------------------------------------- */

spmv_status spmv_transpose_order(const spmv_transpose *t, const int32_t *col_idx,
                                 const spmv_threads *threads, void *row_ptr, void *source,
                                 spmv_error *err)
{
    const size_t offset_bytes = spmv_offset_bytes(t->csr.offset_type);
    spmv_csr csr = t->csr;
    size_t needed = 0;

    if (t->triangle != 0)
        return spmv_expanded_order(t, col_idx, threads, row_ptr, source, err);
    csr.col_idx = col_idx;
    if (spmv_column_places(&csr, t->index_bytes, threads, row_ptr, source, &needed) != SPMV_OK)
        return lacks_memory("the order", needed, err);
    for (int64_t row = 0; row_ptr != NULL && t->base != 0 && row <= csr.cols; row++)
        spmv_set_offset(row_ptr, row, spmv_get_offset(row_ptr, row, offset_bytes) + t->base,
                        offset_bytes);
    return SPMV_OK;
}

spmv_status spmv_transpose_find_source(spmv_transpose *t, const int32_t *col_idx,
                                       const spmv_threads *threads, spmv_error *err)
{
    const size_t bytes = (size_t)t->csr.nnz * t->index_bytes;
    void *source = spmv_memory_alloc_streamed(bytes);
    spmv_status status = source != NULL ? SPMV_OK : lacks_memory("the order", bytes, err);

    if (status == SPMV_OK)
        status = spmv_transpose_order(t, col_idx, threads, NULL, source, err);
    if (status == SPMV_OK)
        t->source = source;
    else
        spmv_memory_free(source);
    return status;
}

/* ---- between the orders ---------------------------------------------------------------------- */

typedef struct exchange {
    const spmv_transpose *t;
    const void *source;
    const void *from;
    void *to;
    const int32_t *columns;      /* of csr, if it is a whole matrix */
    int32_t *col_idx;
} exchange;

SPMV_INLINED void gather(const exchange *e, int64_t begin, int64_t end, size_t index_bytes,
                         size_t value_bytes)
{
    for (int64_t k = begin; k < end; k++)
        memcpy((char *)e->to + (size_t)k * value_bytes,
               (const char *)e->from +
                   (size_t)spmv_get_place(e->source, k, index_bytes) * value_bytes,
               value_bytes);
}

static void gather_chunks(const void *context, int64_t first, int64_t last)
{
    const exchange *e = (const exchange *)context;
    const int64_t begin = first * CHUNK;
    const int64_t end = e->t->csr.nnz / CHUNK < last ? e->t->csr.nnz : last * CHUNK;
    const size_t value_bytes = spmv_value_bytes(e->t->csr.value_type);

    if (e->t->index_bytes == 4 && value_bytes == 8)
        gather(e, begin, end, 4, 8);
    else if (e->t->index_bytes == 4)
        gather(e, begin, end, 4, 4);
    else
        gather(e, begin, end, 8, value_bytes);
}

void spmv_transpose_take_values(const spmv_transpose *t, const spmv_threads *threads,
                                const void *val, void *to)
{
    const exchange e = {.t = t, .source = t->source, .from = val, .to = to};

    spmv_parallel_run(threads, t->csr.nnz / CHUNK + (t->csr.nnz % CHUNK != 0), gather_chunks, &e);
}

/* Whether the entry is of the triangle that the caller gave. */
SPMV_INLINED int is_given(const spmv_transpose *t, int64_t row, int64_t col)
{
    return t->triangle == SPMV_SYMMETRIC_LOWER ? col <= row : col >= row;
}

/* Each entry of the matrix is written once, so threads do not conflict. */
static void give_rows(const void *context, int64_t first, int64_t last)
{
    const exchange *e = (const exchange *)context;
    const spmv_csr *csr = &e->t->csr;
    const size_t value_bytes = spmv_value_bytes(csr->value_type);
    const int64_t end = csr->rows / CHUNK < last ? csr->rows : last * CHUNK;

    for (int64_t row = first * CHUNK; row < end; row++)
        for (int64_t k = spmv_offset_at(csr, row); k < spmv_offset_at(csr, row + 1); k++) {
            const size_t at = (size_t)spmv_get_place(e->source, k, e->t->index_bytes);
            const int32_t col = e->t->triangle != 0 ? e->columns[k] : (int32_t)row;

            if (e->t->triangle != 0 && !is_given(e->t, row, col))
                continue;
            if (e->col_idx != NULL)
                e->col_idx[at] = col + e->t->base;
            if (e->to != NULL)
                memcpy((char *)e->to + at * value_bytes,
                       (const char *)e->from + (size_t)k * value_bytes, value_bytes);
        }
}

void spmv_transpose_give(const spmv_transpose *t, const int32_t *columns, const void *source,
                         const spmv_threads *threads, int32_t *col_idx, const void *from,
                         void *val)
{
    const exchange e = {t, source, from, val, columns, col_idx};

    spmv_parallel_run(threads, t->csr.rows / CHUNK + (t->csr.rows % CHUNK != 0), give_rows, &e);
}
