/* column_sort.h: the entries of a matrix, sorted by column: a stable counting sort by all threads,
 * whose result depends on the matrix alone. There are two ways:
 *
 *     direct    entries move straight to their final places. The places of neighbouring rows must
 *               be near each other, or each entry misses the caches several times
 *     buckets   entries move, as records, to buckets of neighbouring columns. Then each bucket,
 *               which a cache holds, is sorted by itself. This moves about twice the bytes and
 *               needs memory for the records, but is faster for scattered columns
 */
#ifndef SPMV_COLUMN_SORT_H
#define SPMV_COLUMN_SORT_H

#include "runtime/core/threads/team.h"
#include "runtime/spmv.h"

typedef enum spmv_sort_way { SPMV_SORT_DIRECT, SPMV_SORT_BUCKETS } spmv_sort_way;

/* The result, in the caller's memory. */
typedef struct spmv_sorted {
    void *begin;                 /* offset_type[cols + 1], from 0: the first entry of each column */
    int32_t *row;                /* nnz rows, from 0 */
    void *val;                   /* nnz values */
    void *source;                /* the entries' indices in the matrix: nnz of index_bytes each.
                                    NULL: not needed */
    size_t index_bytes;          /* 4, or 8 for more than 2^32 - 1 entries */
} spmv_sorted;

/* The way that is faster for the matrix and the number of threads. */
spmv_sort_way spmv_column_sort_way(const spmv_csr *csr, const spmv_threads *threads);

/* Sorts a checked matrix whose columns are checked, too. SPMV_OUT_OF_MEMORY: *needed says for how
 * many bytes of temporary memory there is none. */
spmv_status spmv_column_sort(const spmv_csr *csr, spmv_sort_way way, const spmv_threads *threads,
                             const spmv_sorted *out, size_t *needed);

#endif
