/* matrix_check.c: rejects matrices that are not valid CSR. Nothing is shared; everything may run at
 * once.
 *
 * Types and sizes, which bound the memory, are checked before row_ptr, and row_ptr before columns,
 * so that nothing is read before its extent is known.
 */
#include "runtime/core/matrix_check.h"

#include "runtime/base/atomic.h"
#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "runtime/core/threads/parallel.h"

#include <inttypes.h>

enum { SCAN_CHUNK = 65536 };     /* rows or nonzeros */

/* ---- types and sizes ----------------------------------------------------------------------- */

static spmv_status check_dimension(const char *name, int64_t size, spmv_error *err)
{
    if (size >= 0 && size <= INT32_MAX)
        return SPMV_OK;
    return spmv_error_set(err, SPMV_INVALID_MATRIX,
                          SPMV_CSR_WORD "%s is %" PRId64 "; expected 0 to 2^31 - 1", name, size);
}

/* Whether an array of `count` elements fits the address space. */
static spmv_status check_bytes(const char *name, int64_t count, size_t element_bytes,
                               spmv_error *err)
{
    if ((uint64_t)count <= (uint64_t)PTRDIFF_MAX / element_bytes)
        return SPMV_OK;
    return spmv_error_set(err, SPMV_OVERFLOW,
                          "%s with %" PRId64 " elements of %zu bytes does not fit the address "
                          "space of this program", name, count, element_bytes);
}

static spmv_status check_sizes(const spmv_csr *csr, size_t value_bytes, spmv_error *err)
{
    spmv_status status;

    if ((status = check_dimension("rows", csr->rows, err)) != SPMV_OK ||
        (status = check_dimension("cols", csr->cols, err)) != SPMV_OK)
        return status;
    if (csr->nnz > 0 && (csr->rows == 0 || csr->cols == 0))
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              SPMV_CSR_WORD "nnz is %" PRId64 ", but a matrix of %" PRId64 " x %"
                              PRId64 " has no place for entries", csr->nnz, csr->rows, csr->cols);
    if (csr->offset_type == SPMV_I32 && csr->nnz > INT32_MAX - csr->base)
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              SPMV_CSR_WORD "nnz is %" PRId64 ", which 32-bit row pointers cannot "
                              "hold; use 64-bit ones and SPMV_I64", csr->nnz);
    if ((status = check_bytes("row_ptr", csr->rows + 1, spmv_offset_bytes(csr->offset_type),
                              err)) != SPMV_OK ||
        (status = check_bytes("col_idx", csr->nnz, sizeof(int32_t), err)) != SPMV_OK ||
        (status = check_bytes("val", csr->nnz, value_bytes, err)) != SPMV_OK ||
        (status = check_bytes("x", csr->cols, value_bytes, err)) != SPMV_OK ||
        (status = check_bytes("y", csr->rows, value_bytes, err)) != SPMV_OK)
        return status;
    return SPMV_OK;
}

/* ---- pointers ------------------------------------------------------------------------------ */

static spmv_status check_pointer(const char *name, const void *pointer, int64_t count,
                                 size_t alignment, spmv_error *err)
{
    if (pointer == NULL && count > 0)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              SPMV_CSR_WORD "%s is NULL; expected an array of %" PRId64, name,
                              count);
    if (!spmv_is_aligned(pointer, alignment))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              SPMV_CSR_WORD "%s is at %p; expected a multiple of %zu bytes, the "
                              "size of its elements", name, pointer, alignment);
    return SPMV_OK;
}

static spmv_status check_pointers(const spmv_csr *csr, size_t value_alignment, spmv_error *err)
{
    spmv_status status;

    if ((status = check_pointer("row_ptr", csr->row_ptr, csr->rows + 1,
                                spmv_offset_alignment(csr->offset_type), err)) != SPMV_OK ||
        (status = check_pointer("col_idx", csr->col_idx, csr->nnz, SPMV_ALIGNOF(int32_t), err)) !=
            SPMV_OK ||
        (status = check_pointer("val", csr->val, csr->nnz, value_alignment, err)) != SPMV_OK)
        return status;
    return SPMV_OK;
}

/* ---- contents ------------------------------------------------------------------------------ */

/* The first bad row or entry in [begin, end). end: there is none. */
typedef int64_t find_bad(const spmv_csr *csr, int64_t begin, int64_t end);

static int64_t find_fall_i32(const spmv_csr *csr, int64_t begin, int64_t end)
{
    const int32_t *row_ptr = (const int32_t *)csr->row_ptr;

    while (begin < end && row_ptr[begin] <= row_ptr[begin + 1])
        begin++;
    return begin;
}

static int64_t find_fall_i64(const spmv_csr *csr, int64_t begin, int64_t end)
{
    const int64_t *row_ptr = (const int64_t *)csr->row_ptr;

    while (begin < end && row_ptr[begin] <= row_ptr[begin + 1])
        begin++;
    return begin;
}

static int64_t find_column(const spmv_csr *csr, int64_t begin, int64_t end)
{
    const int64_t low = csr->base;
    const int64_t high = low + csr->cols;

    while (begin < end && csr->col_idx[begin] >= low && csr->col_idx[begin] < high)
        begin++;
    return begin;
}

/* A scan of all rows or entries in chunks. Chunks have 32-bit numbers: no machine has memory for
 * more. */
typedef struct array_scan {
    const spmv_csr *csr;
    int64_t total;
    find_bad *find;
    spmv_atomic *first_chunk;    /* the first that has a bad row or entry; INT32_MAX: none is
                                    known */
} array_scan;

static int64_t find_in_chunk(const array_scan *s, int64_t chunk, int64_t *end)
{
    const int64_t begin = chunk * SCAN_CHUNK;

    *end = s->total - begin < SCAN_CHUNK ? s->total : begin + SCAN_CHUNK;
    return s->find(s->csr, begin, *end);
}

static void scan_chunks(const void *context, int64_t first, int64_t last)
{
    const array_scan *s = (const array_scan *)context;
    int64_t end;

    for (int64_t chunk = first; chunk < last; chunk++)
        if (find_in_chunk(s, chunk, &end) < end) {
            spmv_atomic_lower(s->first_chunk, (int32_t)chunk);
            return;
        }
}

/* The first bad row or entry in [0, total), or total. */
static int64_t scan_first_bad(const spmv_csr *csr, int64_t total, find_bad *find,
                              const spmv_threads *threads)
{
    spmv_atomic first_chunk = INT32_MAX;
    const array_scan s = {csr, total, find, &first_chunk};
    int64_t end;

    spmv_parallel_run(threads, total / SCAN_CHUNK + (total % SCAN_CHUNK != 0), scan_chunks, &s);
    return spmv_atomic_get(&first_chunk) == INT32_MAX
               ? total : find_in_chunk(&s, spmv_atomic_get(&first_chunk), &end);
}

spmv_status spmv_row_ptr_check(const spmv_csr *csr, const spmv_threads *threads, spmv_error *err)
{
    find_bad *find = csr->offset_type == SPMV_I32 ? find_fall_i32 : find_fall_i64;
    const int64_t bad = scan_first_bad(csr, csr->rows, find, threads);

    if (bad == csr->rows)
        return SPMV_OK;
    return spmv_error_set(err, SPMV_INVALID_MATRIX,
                          "row %" PRId64 " (from 0): " SPMV_CSR_WORD "row_ptr falls from %" PRId64
                          " to %" PRId64 "; expected offsets that never decrease",
                          bad, spmv_offset_at(csr, bad), spmv_offset_at(csr, bad + 1));
}

int64_t spmv_row_of_entry(const spmv_csr *csr, int64_t k)
{
    int64_t low = 0;
    int64_t high = csr->rows;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (spmv_offset_at(csr, middle) - csr->base <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

spmv_status spmv_columns_check(const spmv_csr *csr, const spmv_threads *threads, spmv_error *err)
{
    const int64_t bad = scan_first_bad(csr, csr->nnz, find_column, threads);

    if (bad == csr->nnz)
        return SPMV_OK;
    return spmv_error_set(err, SPMV_INVALID_MATRIX,
                          "row %" PRId64 " (from 0): " SPMV_CSR_WORD "col_idx[%" PRId64 "] is %"
                          PRId32 "; expected %" PRId32 " to %" PRId64,
                          spmv_row_of_entry(csr, bad), bad, csr->col_idx[bad], csr->base,
                          csr->base + csr->cols - 1);
}

spmv_status spmv_sizes_check(const spmv_csr *csr, size_t value_bytes, size_t value_alignment,
                             spmv_error *err)
{
    const spmv_status status = check_sizes(csr, value_bytes, err);

    return status == SPMV_OK ? check_pointers(csr, value_alignment, err) : status;
}
