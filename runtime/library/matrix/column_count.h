/* column_count.h: counts the entries of a matrix by column, or by groups of neighbouring columns,
 * and gives each entry its place in the stable order by column: the first half of a counting sort.
 *
 * The entries are cut into parts, which threads count concurrently. A stable order is unique, so
 * the number of parts and threads changes no place.
 */
#ifndef SPMV_COLUMN_COUNT_H
#define SPMV_COLUMN_COUNT_H

#include "runtime/core/threads/team.h"
#include "runtime/library/matrix/places.h"
#include "runtime/spmv.h"

typedef struct spmv_column_count {
    const spmv_csr *csr;
    int shift;                   /* group g: columns from g << shift on */
    int64_t groups;
    int64_t parts;
    size_t index_bytes;          /* of a place: 4; 8 for more than 2^32 - 1 entries */
    void *counter;               /* places, [parts][groups]: the next entry of the part's group */
    int64_t *block_begin;        /* of blocks of groups; for spmv_column_count_run */
} spmv_column_count;

/* The narrowest width of an entry's place. */
size_t spmv_place_bytes(int64_t nnz);

/* Parts for threads to share: one for each thread, unless parts would be small, or their counters
 * of `groups` groups would take more memory than the columns of the entries. At least 1. */
int64_t spmv_column_parts(const spmv_csr *csr, int64_t groups, const spmv_threads *threads);

/* The first entry of a part; for part == parts, nnz. */
int64_t spmv_part_begin(const spmv_column_count *count, int64_t part);

/* The counters of a part. */
void *spmv_part_counters(const spmv_column_count *count, int64_t part);

/* The counter's place, which becomes that of the group's next entry. */
SPMV_INLINED int64_t spmv_take_place(void *counter, int64_t group, size_t index_bytes)
{
    const int64_t place = spmv_get_place(counter, group, index_bytes);

    spmv_set_place(counter, group, place + 1, index_bytes);
    return place;
}

/* Allocates counters for a checked matrix with entries, whose columns are checked, too.
 * SPMV_OUT_OF_MEMORY: nothing is allocated; *needed says for how many bytes there is no memory. */
spmv_status spmv_column_count_create(spmv_column_count *count, const spmv_csr *csr, int shift,
                                     size_t index_bytes, const spmv_threads *threads,
                                     size_t *needed);

/* Counts, and sets the counters to the places of the parts' first entries. begin: groups + 1
 * offsets of begin_bytes each; receives the first place of each group. NULL: not needed. */
void spmv_column_count_run(const spmv_column_count *count, const spmv_threads *threads, void *begin,
                           size_t begin_bytes);

void spmv_column_count_destroy(spmv_column_count *count);

/* Whether the columns of each row ascend; equal ones may follow each other. */
int spmv_rows_are_sorted(const spmv_csr *csr, const spmv_threads *threads);

/* Counts by column, and writes the places of all entries. begin: cols + 1 offsets of the matrix's
 * offset type, from 0, or NULL. place: nnz places, or NULL. */
spmv_status spmv_column_places(const spmv_csr *csr, size_t index_bytes, const spmv_threads *threads,
                               void *begin, void *place, size_t *needed);

#endif
