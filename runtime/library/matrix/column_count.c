/* column_count.c: see column_count.h. Thread-safe: no shared state. */
#include "runtime/library/matrix/column_count.h"

#include "runtime/base/atomic.h"
#include "runtime/base/memory.h"
#include "runtime/base/types.h"
#include "runtime/core/threads/parallel.h"

#include <string.h>

enum {
    PART_ENTRIES = 16384,        /* of a part, at least */
    BLOCK = 16384,               /* groups whose counters are added by one thread */
    SCAN_ROWS = 16384
};

/* ---- parts ----------------------------------------------------------------------------------- */

size_t spmv_place_bytes(int64_t nnz)
{
    return nnz <= (int64_t)UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
}

int64_t spmv_column_parts(const spmv_csr *csr, int64_t groups, const spmv_threads *threads)
{
    const int64_t useful = csr->nnz / PART_ENTRIES;
    const int64_t affordable = groups > 0 ? csr->nnz / groups : 1;
    int64_t parts = threads != NULL ? threads->count : 1;

    parts = parts < useful ? parts : useful;
    parts = parts < affordable ? parts : affordable;
    return parts > 1 ? parts : 1;
}

int64_t spmv_part_begin(const spmv_column_count *count, int64_t part)
{
    const int64_t nnz = count->csr->nnz;

    return part * (nnz / count->parts) + part * (nnz % count->parts) / count->parts;
}

void *spmv_part_counters(const spmv_column_count *count, int64_t part)
{
    return (char *)count->counter + (size_t)(part * count->groups) * count->index_bytes;
}

/* ---- counting -------------------------------------------------------------------------------- */

SPMV_INLINED void count_part(const spmv_column_count *count, int64_t part, size_t index_bytes)
{
    const int32_t *col_idx = count->csr->col_idx;
    const int32_t base = count->csr->base;
    const int64_t end = spmv_part_begin(count, part + 1);
    void *counter = spmv_part_counters(count, part);

    memset(counter, 0, (size_t)count->groups * index_bytes);
    for (int64_t k = spmv_part_begin(count, part); k < end; k++)
        (void)spmv_take_place(counter, (col_idx[k] - base) >> count->shift, index_bytes);
}

static void count_parts(const void *context, int64_t first, int64_t last)
{
    const spmv_column_count *count = (const spmv_column_count *)context;

    for (int64_t part = first; part < last; part++)
        if (count->index_bytes == 4)
            count_part(count, part, 4);
        else
            count_part(count, part, 8);
}

/* ---- from counts to places ------------------------------------------------------------------- */

typedef struct placing {
    const spmv_column_count *count;
    void *begin;
    size_t begin_bytes;
} placing;

static int64_t block_end(const spmv_column_count *count, int64_t block)
{
    const int64_t left = count->groups - block * BLOCK;

    return left < BLOCK ? count->groups : (block + 1) * BLOCK;
}

static void count_blocks(const void *context, int64_t first, int64_t last)
{
    const spmv_column_count *count = ((const placing *)context)->count;

    for (int64_t block = first; block < last; block++) {
        int64_t sum = 0;

        for (int64_t part = 0; part < count->parts; part++)
            for (int64_t g = block * BLOCK; g < block_end(count, block); g++)
                sum += spmv_get_place(spmv_part_counters(count, part), g, count->index_bytes);
        count->block_begin[block] = sum;
    }
}

static void place_blocks(const void *context, int64_t first, int64_t last)
{
    const placing *p = (const placing *)context;
    const spmv_column_count *count = p->count;
    const size_t index_bytes = count->index_bytes;

    for (int64_t block = first; block < last; block++) {
        int64_t next = count->block_begin[block];

        for (int64_t g = block * BLOCK; g < block_end(count, block); g++) {
            if (p->begin != NULL)
                spmv_set_offset(p->begin, g, next, p->begin_bytes);
            for (int64_t part = 0; part < count->parts; part++) {
                void *counter = spmv_part_counters(count, part);
                const int64_t entries = spmv_get_place(counter, g, index_bytes);

                spmv_set_place(counter, g, next, index_bytes);
                next += entries;
            }
        }
    }
}

void spmv_column_count_run(const spmv_column_count *count, const spmv_threads *threads, void *begin,
                           size_t begin_bytes)
{
    const placing p = {count, begin, begin_bytes};
    const int64_t blocks = count->groups / BLOCK + (count->groups % BLOCK != 0);
    int64_t next = 0;

    spmv_parallel_run(threads, count->parts, count_parts, count);
    spmv_parallel_run(threads, blocks, count_blocks, &p);
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t entries = count->block_begin[block];

        count->block_begin[block] = next;
        next += entries;
    }
    spmv_parallel_run(threads, blocks, place_blocks, &p);
    if (begin != NULL)
        spmv_set_offset(begin, count->groups, next, begin_bytes);
}

/* ---- memory ---------------------------------------------------------------------------------- */

spmv_status spmv_column_count_create(spmv_column_count *count, const spmv_csr *csr, int shift,
                                     size_t index_bytes, const spmv_threads *threads,
                                     size_t *needed)
{
    const int64_t groups = ((csr->cols - 1) >> shift) + 1;
    const int64_t parts = spmv_column_parts(csr, groups, threads);
    const size_t counters = (size_t)(parts * groups);

    *count = (spmv_column_count){
        .csr = csr, .shift = shift, .groups = groups, .parts = parts, .index_bytes = index_bytes,
    };
    *needed = counters <= SIZE_MAX / index_bytes ? counters * index_bytes : SIZE_MAX;
    count->counter = spmv_memory_alloc(*needed);
    count->block_begin = (int64_t *)spmv_memory_alloc(((size_t)groups / BLOCK + 1) *
                                                      sizeof *count->block_begin);
    if (count->counter != NULL && count->block_begin != NULL)
        return SPMV_OK;
    spmv_column_count_destroy(count);
    return SPMV_OUT_OF_MEMORY;
}

void spmv_column_count_destroy(spmv_column_count *count)
{
    spmv_memory_free(count->counter);
    spmv_memory_free(count->block_begin);
    count->counter = NULL;
    count->block_begin = NULL;
}

/* ---- sorted rows ----------------------------------------------------------------------------- */

typedef struct order_scan {
    const spmv_csr *csr;
    spmv_atomic *is_unsorted;
} order_scan;

/* The first entries of rows may be less than the entries before them, so each row has a loop. */
static void scan_rows(const void *context, int64_t first, int64_t last)
{
    const order_scan *scan = (const order_scan *)context;
    const spmv_csr *csr = scan->csr;
    const int64_t end = csr->rows / SCAN_ROWS < last ? csr->rows : last * SCAN_ROWS;
    int64_t begin = spmv_offset_at(csr, first * SCAN_ROWS) - csr->base;

    for (int64_t row = first * SCAN_ROWS; row < end; row++) {
        const int64_t row_end = spmv_offset_at(csr, row + 1) - csr->base;
        int falls = 0;

        for (int64_t k = begin + 1; k < row_end; k++)
            falls |= csr->col_idx[k] < csr->col_idx[k - 1];
        if (falls || (row % 64 == 0 && spmv_atomic_get(scan->is_unsorted))) {
            spmv_atomic_set(scan->is_unsorted, 1);
            return;
        }
        begin = row_end;
    }
}

int spmv_rows_are_sorted(const spmv_csr *csr, const spmv_threads *threads)
{
    spmv_atomic is_unsorted = 0;
    const order_scan scan = {csr, &is_unsorted};

    spmv_parallel_run(threads, csr->rows / SCAN_ROWS + (csr->rows % SCAN_ROWS != 0), scan_rows,
                      &scan);
    return !spmv_atomic_get(&is_unsorted);
}

/* ---- all places ------------------------------------------------------------------------------ */

typedef struct place_list {
    const spmv_column_count *count;
    void *place;
} place_list;

SPMV_INLINED void write_places(const place_list *list, int64_t part, size_t index_bytes)
{
    const spmv_csr *csr = list->count->csr;
    const int64_t end = spmv_part_begin(list->count, part + 1);
    void *counter = spmv_part_counters(list->count, part);

    for (int64_t k = spmv_part_begin(list->count, part); k < end; k++)
        spmv_set_place(list->place, k,
                       spmv_take_place(counter, csr->col_idx[k] - csr->base, index_bytes),
                       index_bytes);
}

static void write_parts(const void *context, int64_t first, int64_t last)
{
    const place_list *list = (const place_list *)context;

    for (int64_t part = first; part < last; part++)
        if (list->count->index_bytes == 4)
            write_places(list, part, 4);
        else
            write_places(list, part, 8);
}

spmv_status spmv_column_places(const spmv_csr *csr, size_t index_bytes, const spmv_threads *threads,
                               void *begin, void *place, size_t *needed)
{
    spmv_column_count count;
    const place_list list = {&count, place};
    spmv_status status;

    if (csr->nnz == 0) {
        if (begin != NULL)
            spmv_parallel_zero(threads, begin,
                               ((size_t)csr->cols + 1) * spmv_offset_bytes(csr->offset_type));
        return SPMV_OK;
    }
    status = spmv_column_count_create(&count, csr, 0, index_bytes, threads, needed);
    if (status != SPMV_OK)
        return status;
    spmv_column_count_run(&count, threads, begin, spmv_offset_bytes(csr->offset_type));
    if (place != NULL)
        spmv_parallel_run(threads, count.parts, write_parts, &list);
    spmv_column_count_destroy(&count);
    return SPMV_OK;
}
