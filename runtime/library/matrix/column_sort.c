/* column_sort.c: see column_sort.h. Thread-safe: no shared state.
 *
 * Functions marked SPMV_INLINED get the widths of types as literals, so that common combinations of
 * widths have loops of their own.
 */
#include "runtime/library/matrix/column_sort.h"

#include "runtime/base/memory.h"
#include "runtime/base/types.h"
#include "runtime/core/matrix_check.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/library/matrix/column_count.h"

#include <string.h>

enum {
    MOST_BUCKETS = 1024,         /* caches hold the lines that all of them are written to */
    BUCKET_ENTRIES = 4096        /* of a bucket, about, if the matrix is small */
};

/* One sort, and what its steps share. */
typedef struct column_sort {
    const spmv_csr *csr;
    const spmv_sorted *out;
    spmv_column_count count;     /* a group is a column or, with buckets, a bucket */
    int64_t *bucket_begin;       /* groups + 1; NULL: the direct way */
    char *record;                /* nnz records; NULL: the direct way */
    int64_t ranges;              /* of buckets with about equal work, one for each thread */
} column_sort;

/* ---- entries --------------------------------------------------------------------------------- */

/* A record: value, column, row and, if it is needed, the entry's index. It need not be aligned. */
SPMV_INLINED size_t record_size(const column_sort *s, size_t index_bytes, size_t value_bytes)
{
    return value_bytes + 2 * sizeof(int32_t) + (s->out->source != NULL ? index_bytes : 0);
}

SPMV_INLINED void write_record(const column_sort *s, int64_t to, int64_t k, const char *value,
                               int32_t column, int32_t row, size_t index_bytes, size_t value_bytes)
{
    char *record = s->record + (size_t)to * record_size(s, index_bytes, value_bytes);
    uint64_t index;

    memcpy(record, value, value_bytes);
    memcpy(record + value_bytes, &column, sizeof column);
    memcpy(record + value_bytes + sizeof column, &row, sizeof row);
    if (s->out->source != NULL) {
        spmv_set_place(&index, 0, k, index_bytes);
        memcpy(record + value_bytes + sizeof column + sizeof row, &index, index_bytes);
    }
}

SPMV_INLINED void write_entry(const spmv_sorted *out, int64_t to, int64_t k, const char *value,
                              int32_t row, size_t index_bytes, size_t value_bytes)
{
    memcpy((char *)out->val + (size_t)to * value_bytes, value, value_bytes);
    out->row[to] = row;
    if (out->source != NULL)
        spmv_set_place(out->source, to, k, index_bytes);
}

/* ---- moving parts ---------------------------------------------------------------------------- */

/* Moves the entries of a part to their buckets or, in the direct way, to their final places. */
SPMV_INLINED void move_part(const column_sort *s, int64_t part, int is_direct, size_t index_bytes,
                            size_t value_bytes)
{
    const spmv_csr *csr = s->csr;
    const int64_t end = spmv_part_begin(&s->count, part + 1);
    const char *val = (const char *)csr->val;
    const int shift = s->count.shift;
    void *counter = spmv_part_counters(&s->count, part);
    int64_t k = spmv_part_begin(&s->count, part);

    for (int64_t row = spmv_row_of_entry(csr, k); k < end; row++) {
        const int64_t row_end = spmv_offset_at(csr, row + 1) - csr->base;

        for (; k < row_end && k < end; k++) {
            const int32_t column = csr->col_idx[k] - csr->base;
            const char *value = val + (size_t)k * value_bytes;
            const int64_t to = spmv_take_place(counter, column >> shift, index_bytes);

            if (is_direct)
                write_entry(s->out, to, k, value, (int32_t)row, index_bytes, value_bytes);
            else
                write_record(s, to, k, value, column, (int32_t)row, index_bytes, value_bytes);
        }
    }
}

static void move_parts(const void *context, int64_t first, int64_t last)
{
    const column_sort *s = (const column_sort *)context;
    const size_t value_bytes = spmv_value_bytes(s->csr->value_type);
    const int is_narrow = s->out->index_bytes == 4;
    const int is_direct = s->record == NULL;

    for (int64_t part = first; part < last; part++)
        if (is_direct && is_narrow && value_bytes == 8)
            move_part(s, part, 1, 4, 8);
        else if (is_direct && is_narrow)
            move_part(s, part, 1, 4, 4);
        else if (is_direct)
            move_part(s, part, 1, 8, value_bytes);
        else if (is_narrow && value_bytes == 8)
            move_part(s, part, 0, 4, 8);
        else if (is_narrow)
            move_part(s, part, 0, 4, 4);
        else
            move_part(s, part, 0, 8, value_bytes);
}

/* ---- sorting buckets ------------------------------------------------------------------------- */

/* The first column of a bucket; for bucket == groups, cols. */
static int64_t first_column(const column_sort *s, int64_t bucket)
{
    return bucket < s->count.groups ? bucket << s->count.shift : s->csr->cols;
}

/* Counts a bucket's records by column, and sets out->begin of its columns to their first places. */
SPMV_INLINED void count_bucket(const column_sort *s, int64_t bucket, size_t size,
                               size_t value_bytes, size_t offset_bytes)
{
    const char *end = s->record + (size_t)s->bucket_begin[bucket + 1] * size;
    void *begin = s->out->begin;
    int64_t next = s->bucket_begin[bucket];

    for (int64_t c = first_column(s, bucket); c < first_column(s, bucket + 1); c++)
        spmv_set_offset(begin, c, 0, offset_bytes);
    for (const char *r = s->record + (size_t)next * size; r < end; r += size) {
        int32_t column;

        memcpy(&column, r + value_bytes, sizeof column);
        spmv_set_offset(begin, column, spmv_get_offset(begin, column, offset_bytes) + 1,
                        offset_bytes);
    }
    for (int64_t c = first_column(s, bucket); c < first_column(s, bucket + 1); c++) {
        const int64_t entries = spmv_get_offset(begin, c, offset_bytes);

        spmv_set_offset(begin, c, next, offset_bytes);
        next += entries;
    }
}

SPMV_INLINED void sort_bucket(const column_sort *s, int64_t bucket, size_t index_bytes,
                              size_t value_bytes, size_t offset_bytes)
{
    const size_t size = record_size(s, index_bytes, value_bytes);
    const int64_t first = s->bucket_begin[bucket];
    const char *end = s->record + (size_t)s->bucket_begin[bucket + 1] * size;
    void *begin = s->out->begin;

    count_bucket(s, bucket, size, value_bytes, offset_bytes);
    for (const char *r = s->record + (size_t)first * size; r < end; r += size) {
        const char *rest = r + value_bytes;
        uint64_t index = 0;
        int32_t column, row;
        int64_t to;

        memcpy(&column, rest, sizeof column);
        memcpy(&row, rest + sizeof column, sizeof row);
        if (s->out->source != NULL)
            memcpy(&index, rest + sizeof column + sizeof row, index_bytes);
        to = spmv_get_offset(begin, column, offset_bytes);
        spmv_set_offset(begin, column, to + 1, offset_bytes);
        write_entry(s->out, to, spmv_get_place(&index, 0, index_bytes), r, row, index_bytes,
                    value_bytes);
    }
    /* Now each column has its end, where the next column begins. */
    for (int64_t c = first_column(s, bucket + 1) - 1; c > first_column(s, bucket); c--)
        spmv_set_offset(begin, c, spmv_get_offset(begin, c - 1, offset_bytes), offset_bytes);
    spmv_set_offset(begin, first_column(s, bucket), first, offset_bytes);
}

/* The first bucket that has at least this share of all entries and columns before it. */
static int64_t range_begin(const column_sort *s, int64_t range)
{
    const int64_t weight = s->csr->nnz + s->csr->cols;
    const int64_t before = range * (weight / s->ranges) + range * (weight % s->ranges) / s->ranges;
    int64_t low = 0;
    int64_t high = s->count.groups;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (s->bucket_begin[middle] + first_column(s, middle) < before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void sort_ranges(const void *context, int64_t first, int64_t last)
{
    const column_sort *s = (const column_sort *)context;
    const size_t value_bytes = spmv_value_bytes(s->csr->value_type);
    const size_t offset_bytes = spmv_offset_bytes(s->csr->offset_type);
    const size_t index_bytes = s->out->index_bytes;
    const int is_narrow = index_bytes == 4 && offset_bytes == 4;

    for (int64_t b = range_begin(s, first); b < range_begin(s, last); b++)
        if (is_narrow && value_bytes == 8)
            sort_bucket(s, b, 4, 8, 4);
        else if (is_narrow)
            sort_bucket(s, b, 4, 4, 4);
        else
            sort_bucket(s, b, index_bytes, value_bytes, offset_bytes);
}

/* ---- the way --------------------------------------------------------------------------------- */

/* Whether most entries lie far from the entries of the rows before them: samples of them miss a
 * small cache of groups of columns. */
static int is_scattered(const spmv_csr *csr)
{
    enum { SAMPLES = 32, ENTRIES = 2048, LINES = 1024, LINE_COLUMNS = 16 };
    const int64_t held = 2 << 20;        /* bytes that a cache holds */
    int64_t seen = 0, missed = 0;

    /* Each column is written to in a line of each of three arrays. */
    if (csr->cols <= held / (3 * SPMV_ALIGNMENT))
        return 0;
    for (int64_t i = 0; i < SAMPLES; i++) {
        const int64_t begin = i * (csr->nnz / SAMPLES);
        const int64_t end = csr->nnz - begin < ENTRIES ? csr->nnz : begin + ENTRIES;
        int32_t line[LINES];

        memset(line, 0xff, sizeof line);
        for (int64_t k = begin; k < end; k++) {
            const int32_t wanted = (csr->col_idx[k] - csr->base) / LINE_COLUMNS;
            const uint32_t slot = (uint32_t)wanted * UINT32_C(2654435769) >> 22;

            missed += line[slot] != wanted;
            line[slot] = wanted;
        }
        seen += end - begin;
    }
    return missed > seen / 4;
}

spmv_sort_way spmv_column_sort_way(const spmv_csr *csr, const spmv_threads *threads)
{
    /* Buckets on all threads are faster than the direct way on less than half of them. */
    if (csr->nnz < csr->cols ||
        2 * spmv_column_parts(csr, csr->cols, threads) < spmv_column_parts(csr, 1, threads))
        return SPMV_SORT_BUCKETS;
    return is_scattered(csr) ? SPMV_SORT_BUCKETS : SPMV_SORT_DIRECT;
}

/* ---- the sort -------------------------------------------------------------------------------- */

static int bucket_shift(const spmv_csr *csr)
{
    const int64_t useful = csr->nnz / BUCKET_ENTRIES + 1;
    const int64_t most = useful < MOST_BUCKETS ? useful : MOST_BUCKETS;
    int shift = 0;

    while ((csr->cols - 1) >> shift >= most)
        shift++;
    return shift;
}

static spmv_status allocate_buckets(column_sort *s, size_t *needed)
{
    const size_t size = record_size(s, s->out->index_bytes, spmv_value_bytes(s->csr->value_type));

    *needed = (uint64_t)s->csr->nnz <= SIZE_MAX / size ? (size_t)s->csr->nnz * size : SIZE_MAX;
    s->record = (char *)spmv_memory_alloc(*needed);
    s->bucket_begin = (int64_t *)spmv_memory_alloc((size_t)(s->count.groups + 1) *
                                                   sizeof *s->bucket_begin);
    return s->record != NULL && s->bucket_begin != NULL ? SPMV_OK : SPMV_OUT_OF_MEMORY;
}

static void sort(const column_sort *s, const spmv_threads *threads)
{
    const size_t offset_bytes = spmv_offset_bytes(s->csr->offset_type);

    if (s->record == NULL) {
        spmv_column_count_run(&s->count, threads, s->out->begin, offset_bytes);
        spmv_parallel_run(threads, s->count.parts, move_parts, s);
        return;
    }
    spmv_column_count_run(&s->count, threads, s->bucket_begin, sizeof *s->bucket_begin);
    spmv_parallel_run(threads, s->count.parts, move_parts, s);
    spmv_parallel_run(threads, s->ranges, sort_ranges, s);
    spmv_set_offset(s->out->begin, s->csr->cols, s->csr->nnz, offset_bytes);
}

spmv_status spmv_column_sort(const spmv_csr *csr, spmv_sort_way way, const spmv_threads *threads,
                             const spmv_sorted *out, size_t *needed)
{
    const int has_buckets = way == SPMV_SORT_BUCKETS;
    column_sort s = {.csr = csr, .out = out, .ranges = spmv_column_parts(csr, 1, threads)};
    spmv_status status;

    if (csr->nnz == 0) {
        spmv_parallel_zero(threads, out->begin,
                           ((size_t)csr->cols + 1) * spmv_offset_bytes(csr->offset_type));
        return SPMV_OK;
    }
    status = spmv_column_count_create(&s.count, csr, has_buckets ? bucket_shift(csr) : 0,
                                      out->index_bytes, threads, needed);
    if (status == SPMV_OK && has_buckets)
        status = allocate_buckets(&s, needed);
    if (status == SPMV_OK)
        sort(&s, threads);
    spmv_memory_free(s.record);
    spmv_memory_free(s.bucket_begin);
    spmv_column_count_destroy(&s.count);
    return status;
}
