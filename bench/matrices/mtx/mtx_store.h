/* mtx_store.h: the entries of a file in its order, before they become rows.
 *
 * A store is a chain of blocks. The size of a new block depends on the entries read so far, up to a
 * limit, and never on the size line. Growing copies nothing, and blocks can be freed one by one.
 *
 *     block: | val[capacity] | row[capacity] | col[capacity] |      val is missing for a pattern
 */
#ifndef MTX_STORE_H
#define MTX_STORE_H

#include "bench/matrices/mtx/mtx_memory.h"

typedef struct mtx_block {
    struct mtx_block *next;
    uint32_t capacity, count;
    double *val;                 /* NULL for a pattern: each value is 1 */
    int32_t *row, *col;          /* from 0 */
} mtx_block;

typedef struct mtx_store {
    mtx_memory *memory;
    bool has_values;
    mtx_block *first, *last;     /* NULL: empty */
    int64_t count;               /* capacity of all blocks */
} mtx_store;

/* Appends an empty block; false: out of memory. */
bool mtx_store_grow(mtx_store *store);

/* Frees the first block, which must exist. */
void mtx_store_drop(mtx_store *store);

void mtx_store_clear(mtx_store *store);

#endif
