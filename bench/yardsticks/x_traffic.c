/* x_traffic.c: see x_traffic.h. */
#include "bench/yardsticks/x_traffic.h"

#include <stdlib.h>

enum { WAYS = 8, LINE_BYTES = 64, COLUMN_BYTES = 4 };

/* A cache. Lines are numbered from 1; 0: empty. */
typedef struct cache {
    int64_t sets;
    int64_t *line;               /* sets * WAYS, the most recently used of a set first */
} cache;

/* Addresses of the arrays: one after another, each at the beginning of a line. */
typedef struct addresses {
    int64_t col, val, x;         /* numbers of their first lines */
    int64_t value_bytes;
} addresses;

/* Whether the line is in the cache. Makes it the most recently used line of its set. */
static int access_line(const cache *c, int64_t line)
{
    int64_t *set = c->line + line % c->sets * WAYS;
    int way = 0;

    while (way < WAYS - 1 && set[way] != line)
        way++;
    const int hit = set[way] == line;
    for (; way > 0; way--)
        set[way] = set[way - 1];
    set[0] = line;
    return hit;
}

/* Reads entry k. Returns the number of lines of x that missed. */
static int64_t read_entry(const cache *c, const spmv_csr *csr, const addresses *at, int64_t k)
{
    const int64_t col = csr->col_idx[k] - (int64_t)csr->base;

    access_line(c, at->col + k * COLUMN_BYTES / LINE_BYTES);
    access_line(c, at->val + k * at->value_bytes / LINE_BYTES);
    return !access_line(c, at->x + col * at->value_bytes / LINE_BYTES);
}

/* Lines of x that miss for entries [first, last); -1: out of memory. */
static int64_t missing_lines(const spmv_csr *csr, const addresses *at, int64_t first, int64_t last,
                             size_t cache_bytes)
{
    cache c = { .sets = (int64_t)(cache_bytes / (WAYS * LINE_BYTES)) };
    int64_t missing = 0;

    c.sets = c.sets > 0 ? c.sets : 1;
    c.line = calloc((size_t)c.sets * WAYS, sizeof *c.line);
    if (!c.line)
        return -1;
    /* The cache after the last multiplication: it holds the last entries, as many as fill it. */
    const int64_t filling = (int64_t)cache_bytes / (COLUMN_BYTES + at->value_bytes) + 1;
    for (int64_t k = last - first > filling ? last - filling : first; k < last; k++)
        read_entry(&c, csr, at, k);
    for (int64_t k = first; k < last; k++)
        missing += read_entry(&c, csr, at, k);
    free(c.line);
    return missing;
}

int64_t bench_x_traffic_bytes(const spmv_csr *csr, int threads, size_t cache_bytes)
{
    const int64_t value_bytes = csr->value_type == SPMV_F32 ? 4 : 8;
    const addresses at = {
        .col = 1,
        .val = 2 + csr->nnz * COLUMN_BYTES / LINE_BYTES,
        .x = 3 + csr->nnz * COLUMN_BYTES / LINE_BYTES + csr->nnz * value_bytes / LINE_BYTES,
        .value_bytes = value_bytes,
    };
    const int parts = threads > 0 ? threads : 1;
    int64_t lines = 0;

    for (int t = 0; t < parts; t++) {
        const int64_t first = (int64_t)((double)csr->nnz * t / parts);
        const int64_t last = (int64_t)((double)csr->nnz * (t + 1) / parts);
        const int64_t missing = missing_lines(csr, &at, first, last, cache_bytes);
        if (missing < 0)
            return -1;
        lines += missing;
    }
    return lines * LINE_BYTES;
}
