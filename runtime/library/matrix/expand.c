/* expand.c: the whole of a symmetric matrix, from one triangle: see transpose.h. Thread-safe: no
 * shared state.
 *
 * The triangle is sorted by column. A row of the whole matrix is then its row in the triangle and
 * its column there, one behind the other; the entry on the main diagonal is in both. */
#include "runtime/library/matrix/transpose.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/types.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/library/matrix/column_count.h"
#include "runtime/library/matrix/column_sort.h"
#include "runtime/library/matrix/symmetry.h"

#include <inttypes.h>
#include <string.h>

enum { CHUNK = 4096 };           /* rows that a thread does at least */

/* Adding the mirrors of an entry costs about as much as moving these bytes, by measurement
 * (docs/experiments.md#half-of-a-symmetric-matrix). */
static const double entry_bytes = 250;

static int64_t chunks_of(int64_t rows)
{
    return rows / CHUNK + (rows % CHUNK != 0);
}

static spmv_status lacks_memory(size_t bytes, spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                          "no memory for the whole of the symmetric matrix, %zu bytes", bytes);
}

/* ---- creating -------------------------------------------------------------------------------- */

typedef struct expansion {
    const spmv_csr *csr;         /* the triangle */
    const spmv_transpose *t;
    spmv_csr by_column;          /* the triangle's transpose, in base 0 */
} expansion;

static int has_diagonal(const spmv_csr *csr, int32_t triangle, int64_t row)
{
    const int64_t begin = spmv_offset_at(csr, row) - csr->base;
    const int64_t end = spmv_offset_at(csr, row + 1) - csr->base;

    return begin < end && csr->col_idx[triangle == SPMV_SYMMETRIC_LOWER ? end - 1 : begin] ==
                              row + csr->base;
}

/* Writes the whole matrix's row pointers; returns its entries. By one thread: it only reads ends of
 * rows. */
static int64_t count_rows(const expansion *e, void *row_ptr, size_t offset_bytes)
{
    int64_t total = 0;

    for (int64_t row = 0; row < e->csr->rows; row++) {
        spmv_set_offset(row_ptr, row, total, offset_bytes);
        total += spmv_offset_at(e->csr, row + 1) - spmv_offset_at(e->csr, row) +
                 spmv_offset_at(&e->by_column, row + 1) - spmv_offset_at(&e->by_column, row) -
                 has_diagonal(e->csr, e->t->triangle, row);
    }
    spmv_set_offset(row_ptr, e->csr->rows, total, offset_bytes);
    return total;
}

/* Copies entries [begin, end) of a matrix to the whole one from entry `at` on; returns the place
 * behind them. */
static int64_t append(const spmv_transpose *t, int64_t at, const spmv_csr *from, int64_t begin,
                      int64_t end)
{
    const size_t value_bytes = spmv_value_bytes(t->csr.value_type);
    int32_t *col_idx = (int32_t *)(uintptr_t)t->csr.col_idx;

    for (int64_t k = begin; k < end; k++)
        col_idx[at + k - begin] = from->col_idx[k] - from->base;
    memcpy((char *)(uintptr_t)t->csr.val + (size_t)at * value_bytes,
           (const char *)from->val + (size_t)begin * value_bytes,
           (size_t)(end - begin) * value_bytes);
    return at + end - begin;
}

static void join_rows(const void *context, int64_t first, int64_t last)
{
    const expansion *e = (const expansion *)context;
    const spmv_csr *csr = e->csr;
    const int64_t end_row = csr->rows / CHUNK < last ? csr->rows : last * CHUNK;

    for (int64_t row = first * CHUNK; row < end_row; row++) {
        const int on_diagonal = has_diagonal(csr, e->t->triangle, row);
        const int64_t begin = spmv_offset_at(csr, row) - csr->base;
        const int64_t end = spmv_offset_at(csr, row + 1) - csr->base;
        const int64_t above = spmv_offset_at(&e->by_column, row);
        const int64_t below = spmv_offset_at(&e->by_column, row + 1);
        int64_t at = spmv_offset_at(&e->t->csr, row);

        if (e->t->triangle == SPMV_SYMMETRIC_LOWER) {
            at = append(e->t, at, csr, begin, end);
            append(e->t, at, &e->by_column, above + on_diagonal, below);
        } else {
            at = append(e->t, at, &e->by_column, above, below - on_diagonal);
            append(e->t, at, csr, begin, end);
        }
    }
}

/* Fills the whole matrix, whose row pointers have no memory yet. */
static spmv_status fill(expansion *e, spmv_transpose *t, const spmv_threads *threads,
                        spmv_error *err)
{
    const size_t offset_bytes = spmv_offset_bytes(t->csr.offset_type);
    const size_t row_ptr_bytes = ((size_t)t->csr.rows + 1) * offset_bytes;
    void *row_ptr = spmv_memory_alloc_streamed(row_ptr_bytes);
    int64_t total;

    if (row_ptr == NULL)
        return lacks_memory(row_ptr_bytes, err);
    t->csr.row_ptr = row_ptr;
    total = count_rows(e, row_ptr, offset_bytes);
    if (t->csr.offset_type == SPMV_I32 && total > INT32_MAX)
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              "both triangles have %" PRId64 " entries, which 32-bit row pointers "
                              "cannot hold; use 64-bit ones and SPMV_I64", total);
    t->csr.nnz = total;
    t->index_bytes = spmv_place_bytes(total);
    t->csr.col_idx = (const int32_t *)spmv_memory_alloc_streamed((size_t)total * sizeof(int32_t));
    t->csr.val = spmv_memory_alloc_streamed((size_t)total * spmv_value_bytes(t->csr.value_type));
    if (t->csr.col_idx == NULL || t->csr.val == NULL)
        return lacks_memory((size_t)total *
                                (sizeof(int32_t) + spmv_value_bytes(t->csr.value_type)), err);
    spmv_parallel_run(threads, chunks_of(t->csr.rows), join_rows, e);
    return SPMV_OK;
}

spmv_status spmv_expanded_create(const spmv_csr *csr, int32_t triangle, const spmv_threads *threads,
                                 spmv_transpose **out, spmv_error *err)
{
    const double start = spmv_seconds_now();
    spmv_transpose *t = (spmv_transpose *)spmv_memory_alloc_zeroed(sizeof *t);
    expansion e = {.csr = csr, .t = t};
    spmv_transpose *by_column;
    spmv_status status;

    *out = NULL;
    if (t == NULL)
        return lacks_memory(sizeof *t, err);
    t->csr = *csr;
    t->csr.base = 0;
    t->csr.row_ptr = t->csr.val = t->csr.col_idx = NULL;
    t->triangle = triangle;
    t->given_nnz = csr->nnz;
    t->base = csr->base;
    status = spmv_transpose_create(csr, threads, &by_column, err);
    if (status == SPMV_OK) {
        e.by_column = by_column->csr;
        status = fill(&e, t, threads, err);
    }
    spmv_transpose_destroy(by_column);
    if (status != SPMV_OK) {
        spmv_transpose_destroy(t);
        return status;
    }
    t->cost = entry_bytes * (double)csr->nnz + 24 * (double)csr->rows;
    t->seconds = spmv_seconds_now() - start;
    *out = t;
    return SPMV_OK;
}

/* ---- the triangle's order -------------------------------------------------------------------- */

/* The whole matrix, and what is known of the triangle. */
typedef struct order {
    const spmv_transpose *t;
    const int32_t *col_idx;      /* of the whole matrix */
    void *row_ptr;               /* of the triangle, from 0 */
    void *source;
} order;

/* Writes the number of entries of each row of the triangle where its row pointer will be. */
static void count_given(const void *context, int64_t first, int64_t last)
{
    const order *o = (const order *)context;
    const spmv_csr *csr = &o->t->csr;
    const size_t offset_bytes = spmv_offset_bytes(csr->offset_type);
    const int64_t end_row = csr->rows / CHUNK < last ? csr->rows : last * CHUNK;

    for (int64_t row = first * CHUNK; row < end_row; row++) {
        int64_t given = 0;

        for (int64_t k = spmv_offset_at(csr, row); k < spmv_offset_at(csr, row + 1); k++)
            given += o->t->triangle == SPMV_SYMMETRIC_LOWER ? o->col_idx[k] <= row
                                                            : o->col_idx[k] >= row;
        spmv_set_offset(o->row_ptr, row + 1, given, offset_bytes);
    }
}

/* The index in the triangle of entry k of the whole matrix, which is in this row of both. */
static int64_t given_index(const order *o, int64_t row, int64_t k)
{
    const spmv_csr *csr = &o->t->csr;
    const size_t offset_bytes = spmv_offset_bytes(csr->offset_type);

    if (o->t->triangle == SPMV_SYMMETRIC_LOWER)
        return spmv_get_offset(o->row_ptr, row, offset_bytes) + k - spmv_offset_at(csr, row);
    return spmv_get_offset(o->row_ptr, row + 1, offset_bytes) + k - spmv_offset_at(csr, row + 1);
}

static void find_sources(const void *context, int64_t first, int64_t last)
{
    const order *o = (const order *)context;
    const spmv_csr *csr = &o->t->csr;
    const int is_lower = o->t->triangle == SPMV_SYMMETRIC_LOWER;
    const int64_t end_row = csr->rows / CHUNK < last ? csr->rows : last * CHUNK;

    for (int64_t row = first * CHUNK; row < end_row; row++)
        for (int64_t k = spmv_offset_at(csr, row); k < spmv_offset_at(csr, row + 1); k++) {
            const int64_t col = o->col_idx[k];
            const int is_given = is_lower ? col <= row : col >= row;
            const int64_t place =
                is_given ? given_index(o, row, k)
                         : given_index(o, col, spmv_mirror_of(csr, o->col_idx, row, col, k));

            spmv_set_place(o->source, k, place, o->t->index_bytes);
        }
}

spmv_status spmv_expanded_order(const spmv_transpose *t, const int32_t *col_idx,
                                const spmv_threads *threads, void *row_ptr, void *source,
                                spmv_error *err)
{
    const size_t offset_bytes = spmv_offset_bytes(t->csr.offset_type);
    const size_t bytes = ((size_t)t->csr.rows + 1) * offset_bytes;
    void *given = spmv_memory_alloc(bytes);
    const order o = {t, col_idx, given, source};

    if (given == NULL)
        return lacks_memory(bytes, err);
    spmv_set_offset(given, 0, 0, offset_bytes);
    spmv_parallel_run(threads, chunks_of(t->csr.rows), count_given, &o);
    for (int64_t row = 0; row < t->csr.rows; row++)
        spmv_set_offset(given, row + 1, spmv_get_offset(given, row, offset_bytes) +
                                            spmv_get_offset(given, row + 1, offset_bytes),
                        offset_bytes);
    if (source != NULL)
        spmv_parallel_run(threads, chunks_of(t->csr.rows), find_sources, &o);
    for (int64_t row = 0; row_ptr != NULL && row <= t->csr.rows; row++)
        spmv_set_offset(row_ptr, row, spmv_get_offset(given, row, offset_bytes) + t->base,
                        offset_bytes);
    spmv_memory_free(given);
    return SPMV_OK;
}
