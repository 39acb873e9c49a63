/* symmetry.c: see symmetry.h. Thread-safe: no shared state.
 *
 * The mirror of each entry below the main diagonal is looked up. Different entries have different
 * mirrors, so if there are as many entries above as below, those above have mirrors, too.
 */
#include "runtime/library/matrix/symmetry.h"

#include "runtime/base/atomic.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/library/matrix/places.h"

#include <inttypes.h>

enum {
    CHUNK = 4096,                /* rows that a thread checks at least */
    SCANNED = 8                  /* entries in which a mirror is looked for before a search */
};

/* ---- what is wrong with an entry ------------------------------------------------------------- */

typedef enum entry_fault {
    NO_FAULT, NOT_ASCENDING, IN_OTHER_TRIANGLE, NO_MIRROR, UNEQUAL_MIRROR
} entry_fault;

static double value_at(const spmv_csr *csr, int64_t k)
{
    return csr->value_type == SPMV_F32 ? (double)((const float *)csr->val)[k]
                                       : ((const double *)csr->val)[k];
}

static entry_fault mirror_fault(const spmv_csr *csr, int64_t row, int64_t col, int64_t k)
{
    const int64_t mirror = spmv_mirror_of(csr, csr->col_idx, row, col, k);
    double value, other;

    if (mirror < 0)
        return NO_MIRROR;
    value = value_at(csr, k);
    other = value_at(csr, mirror);
    return value == other || (value != value && other != other) ? NO_FAULT : UNEQUAL_MIRROR;
}

SPMV_INLINED entry_fault fault_of(const spmv_csr *csr, int32_t symmetric, int64_t row,
                                  int64_t begin, int64_t k)
{
    const int64_t col = csr->col_idx[k] - csr->base;

    if (k > begin && csr->col_idx[k - 1] >= csr->col_idx[k])
        return NOT_ASCENDING;
    if (symmetric == SPMV_SYMMETRIC_LOWER)
        return col > row ? IN_OTHER_TRIANGLE : NO_FAULT;
    if (symmetric == SPMV_SYMMETRIC_UPPER)
        return col < row ? IN_OTHER_TRIANGLE : NO_FAULT;
    return col < row ? mirror_fault(csr, row, col, k) : NO_FAULT;
}

/* Whether the mirror of an entry below the main diagonal is where those of few diagonals are, and
 * has its value. offset_bytes and value_bytes are literals, so this takes few instructions. */
SPMV_INLINED int has_usual_mirror(const spmv_csr *csr, int64_t row, int64_t col, int64_t begin,
                                  int64_t k, size_t offset_bytes, size_t value_bytes)
{
    const int64_t low = spmv_get_offset(csr->row_ptr, col, offset_bytes) - csr->base;
    const int64_t end = spmv_get_offset(csr->row_ptr, col + 1, offset_bytes) - csr->base;
    const int64_t at = end - 1 - (k - begin);

    return at >= low && csr->col_idx[at] == (int32_t)row + csr->base &&
           (value_bytes == sizeof(float)
                ? ((const float *)csr->val)[at] == ((const float *)csr->val)[k]
                : ((const double *)csr->val)[at] == ((const double *)csr->val)[k]);
}

/* The same for a mirror near the place that is *place entries from its row's end, which becomes the
 * mirror's place: that of the next column is often the same, as in rows that share columns. */
SPMV_INLINED int has_near_mirror(const spmv_csr *csr, int64_t row, int64_t col, int64_t k,
                                 size_t offset_bytes, size_t value_bytes, int64_t *place)
{
    const int64_t low = spmv_get_offset(csr->row_ptr, col, offset_bytes) - csr->base;
    const int64_t end = spmv_get_offset(csr->row_ptr, col + 1, offset_bytes) - csr->base;
    const int32_t wanted = (int32_t)row + csr->base;
    int64_t at = end - *place < low ? low : end - *place;

    if (low == end)
        return 0;
    for (int steps = 0; steps < SCANNED && at + 1 < end && csr->col_idx[at] < wanted; steps++)
        at++;
    for (int steps = 0; steps < SCANNED && at > low && csr->col_idx[at] > wanted; steps++)
        at--;
    *place = end - at;
    return csr->col_idx[at] == wanted &&
           (value_bytes == sizeof(float)
                ? ((const float *)csr->val)[at] == ((const float *)csr->val)[k]
                : ((const double *)csr->val)[at] == ((const double *)csr->val)[k]);
}

/* The first entry of the row that is wrong, or the row's end. *balance: is raised by the entries
 * above the main diagonal, and lowered by those below. The first loop does rows of a few diagonals,
 * and is as short as it can be; the second does what is left. */
SPMV_INLINED int64_t first_in_row(const spmv_csr *csr, int32_t symmetric, int64_t row,
                                  size_t offset_bytes, size_t value_bytes, int64_t *balance)
{
    const int64_t begin = spmv_get_offset(csr->row_ptr, row, offset_bytes) - csr->base;
    const int64_t end = spmv_get_offset(csr->row_ptr, row + 1, offset_bytes) - csr->base;
    int64_t before = -1;
    int64_t k = begin;
    int64_t place;

    for (; k < end && symmetric == SPMV_SYMMETRIC_FULL; k++) {
        const int64_t col = csr->col_idx[k] - csr->base;

        if (before >= col ||
            (col < row &&
             !has_usual_mirror(csr, row, col, begin, k, offset_bytes, value_bytes)))
            break;
        *balance += (col > row) - (col < row);
        before = col;
    }
    place = k - begin + 1;
    for (; k < end; k++) {
        const int64_t col = csr->col_idx[k] - csr->base;
        const int is_near =
            symmetric == SPMV_SYMMETRIC_FULL && before < col &&
            (col >= row || has_near_mirror(csr, row, col, k, offset_bytes, value_bytes, &place));

        if (!is_near && fault_of(csr, symmetric, row, begin, k) != NO_FAULT)
            return k;
        *balance += (col > row) - (col < row);
        before = col;
    }
    return end;
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct row_scan {
    const spmv_csr *csr;
    int32_t symmetric;
    spmv_atomic *first_chunk;    /* the first that has a wrong entry; INT32_MAX: none is known */
    int64_t *balance;            /* of each chunk */
} row_scan;

/* The first row of the chunk that has a wrong entry, or the row behind the chunk. */
SPMV_INLINED int64_t find_in_chunk(const row_scan *s, int32_t symmetric, size_t offset_bytes,
                                   size_t value_bytes, int64_t chunk)
{
    const int64_t rows = s->csr->rows;
    const int64_t end = rows - chunk * CHUNK < CHUNK ? rows : (chunk + 1) * CHUNK;
    int64_t balance = 0;
    int64_t row = chunk * CHUNK;

    while (row < end && first_in_row(s->csr, symmetric, row, offset_bytes, value_bytes,
                                     &balance) ==
                            spmv_get_offset(s->csr->row_ptr, row + 1, offset_bytes) - s->csr->base)
        row++;
    s->balance[chunk] = balance;
    if (row < end)
        spmv_atomic_lower(s->first_chunk, (int32_t)chunk);
    return row;
}

static int64_t find_wrong_row(const row_scan *s, int64_t chunk)
{
    const size_t offset_bytes = spmv_offset_bytes(s->csr->offset_type);
    const size_t value_bytes = spmv_value_bytes(s->csr->value_type);

    if (s->symmetric != SPMV_SYMMETRIC_FULL)
        return find_in_chunk(s, s->symmetric, offset_bytes, value_bytes, chunk);
    if (offset_bytes == 4)
        return value_bytes == 4 ? find_in_chunk(s, SPMV_SYMMETRIC_FULL, 4, 4, chunk)
                                : find_in_chunk(s, SPMV_SYMMETRIC_FULL, 4, 8, chunk);
    return value_bytes == 4 ? find_in_chunk(s, SPMV_SYMMETRIC_FULL, 8, 4, chunk)
                            : find_in_chunk(s, SPMV_SYMMETRIC_FULL, 8, 8, chunk);
}

static void scan_chunks(const void *context, int64_t first, int64_t last)
{
    const row_scan *s = (const row_scan *)context;

    for (int64_t chunk = first; chunk < last; chunk++)
        (void)find_wrong_row(s, chunk);
}

/* ---- the error ------------------------------------------------------------------------------- */

static const char *name_of(int32_t symmetric)
{
    return symmetric == SPMV_SYMMETRIC_FULL    ? "SPMV_SYMMETRIC_FULL"
           : symmetric == SPMV_SYMMETRIC_LOWER ? "SPMV_SYMMETRIC_LOWER"
                                               : "SPMV_SYMMETRIC_UPPER";
}

static spmv_status describe_no_mirror(const spmv_csr *csr, int64_t row, int64_t k, spmv_error *err)
{
    const int64_t col = csr->col_idx[k] - csr->base;

    return spmv_error_set(err, SPMV_INVALID_MATRIX,
                          "csr.val[%" PRId64 "] is %.17g, in row %" PRId64 " and column %" PRId64
                          " (from 0), but row %" PRId64 " has no entry in column %" PRId64
                          "; options.symmetric is SPMV_SYMMETRIC_FULL, so expected the same value "
                          "there", k, value_at(csr, k), row, col, col, row);
}

static spmv_status describe(const spmv_csr *csr, int32_t symmetric, int64_t row, spmv_error *err)
{
    int64_t balance = 0;
    const int64_t k = first_in_row(csr, symmetric, row, spmv_offset_bytes(csr->offset_type),
                                   spmv_value_bytes(csr->value_type), &balance);
    const int64_t begin = spmv_offset_at(csr, row) - csr->base;
    const int64_t col = csr->col_idx[k] - csr->base;
    int64_t mirror;

    switch (fault_of(csr, symmetric, row, begin, k)) {
    case NOT_ASCENDING:
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              "row %" PRId64 " (from 0): csr.col_idx[%" PRId64 "] is %" PRId32
                              " after %" PRId32 "; options.symmetric needs rows whose columns "
                              "ascend without repetition", row, k, csr->col_idx[k],
                              csr->col_idx[k - 1]);
    case IN_OTHER_TRIANGLE:
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              "row %" PRId64 " (from 0): csr.col_idx[%" PRId64 "] is %" PRId32
                              ", %s the main diagonal; options.symmetric is %s, so expected no "
                              "entry there", row, k, csr->col_idx[k],
                              col < row ? "below" : "above", name_of(symmetric));
    case NO_MIRROR:
        return describe_no_mirror(csr, row, k, err);
    default:
        mirror = spmv_mirror_of(csr, csr->col_idx, row, col, k);
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              "csr.val[%" PRId64 "] is %.17g, in row %" PRId64 " and column %"
                              PRId64 " (from 0), but csr.val[%" PRId64 "] is %.17g, in row %"
                              PRId64 " and column %" PRId64 "; options.symmetric is %s, so "
                              "expected equal values", k, value_at(csr, k), row, col, mirror,
                              value_at(csr, mirror), col, row, name_of(symmetric));
    }
}

/* There are more entries above the main diagonal than below. */
static spmv_status describe_surplus(const spmv_csr *csr, spmv_error *err)
{
    for (int64_t row = 0; row < csr->rows; row++)
        for (int64_t k = spmv_offset_at(csr, row) - csr->base;
             k < spmv_offset_at(csr, row + 1) - csr->base; k++) {
            const int64_t col = csr->col_idx[k] - csr->base;

            if (col > row && spmv_mirror_of(csr, csr->col_idx, row, col, k) < 0)
                return describe_no_mirror(csr, row, k, err);
        }
    return SPMV_OK;
}

/* ---- the check ------------------------------------------------------------------------------- */

/* Scans all chunks. */
static spmv_status check_rows(const row_scan *s, int64_t chunks, const spmv_threads *threads,
                              spmv_error *err)
{
    int64_t balance = 0;

    spmv_parallel_run(threads, chunks, scan_chunks, s);
    if (spmv_atomic_get(s->first_chunk) != INT32_MAX)
        return describe(s->csr, s->symmetric, find_wrong_row(s, spmv_atomic_get(s->first_chunk)),
                        err);
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        balance += s->balance[chunk];
    return s->symmetric == SPMV_SYMMETRIC_FULL && balance != 0 ? describe_surplus(s->csr, err)
                                                                : SPMV_OK;
}

spmv_status spmv_symmetry_check(const spmv_csr *csr, int32_t symmetric, const spmv_threads *threads,
                                spmv_error *err)
{
    const int64_t chunks = csr->rows / CHUNK + (csr->rows % CHUNK != 0);
    const size_t bytes = (size_t)chunks * sizeof(int64_t);
    spmv_atomic first_chunk = INT32_MAX;
    row_scan s = {csr, symmetric, &first_chunk, NULL};
    spmv_status status;

    if (csr->rows != csr->cols)
        return spmv_error_set(err, SPMV_INVALID_MATRIX,
                              "the matrix has %" PRId64 " rows and %" PRId64 " columns; "
                              "options.symmetric is %s, so expected as many", csr->rows, csr->cols,
                              name_of(symmetric));
    if (chunks == 0)
        return SPMV_OK;
    s.balance = (int64_t *)spmv_memory_alloc(bytes);
    if (s.balance == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY,
                              "no memory to check options.symmetric, %zu bytes", bytes);
    status = check_rows(&s, chunks, threads, err);
    spmv_memory_free(s.balance);
    return status;
}
