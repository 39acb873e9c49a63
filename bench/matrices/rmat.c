/* rmat.c: see rmat.h. */
#include "bench/matrices/rmat.h"

#include <stdbool.h>
#include <stdlib.h>

#include "bench/matrices/random.h"
#include "bench/matrices/sort.h"

enum { LEVEL_BITS = 16, LEVELS = 64 / LEVEL_BITS };

/* Draws an edge. Each level halves rows and columns, and chooses one of the quarters with
 * probabilities 0.57, 0.19, 0.19 and 0.05, in 65536ths. */
static void draw_edge(bench_random *random, int levels, int64_t *row, int64_t *col)
{
    uint64_t bits = 0;

    *row = *col = 0;
    for (int level = 0; level < levels; level++, bits >>= LEVEL_BITS) {
        if (level % LEVELS == 0)
            bits = bench_random_bits(random);
        const unsigned at = (unsigned)(bits & 0xffff);
        const bool lower = at >= 49807, right = at >= 62259 || (at >= 37356 && !lower);
        *row = 2 * *row + lower;
        *col = 2 * *col + right;
    }
}

/* The columns of all edges, row by row. The edges are drawn twice, which saves the memory to store
 * them. first has rows + 1 elements, all 0. */
static void draw_rows(uint64_t seed, int levels, int64_t edges, int64_t *first, int64_t *col)
{
    const int64_t rows = (int64_t)1 << levels;
    bench_random random = { seed };
    int64_t row, column;

    for (int64_t i = 0; i < edges; i++) {
        draw_edge(&random, levels, &row, &column);
        first[row]++;
    }
    for (int64_t r = 0, sum = 0; r <= rows; r++) {
        sum += first[r];
        first[r] = sum;
    }
    random = (bench_random){ seed };
    for (int64_t i = 0; i < edges; i++) {
        draw_edge(&random, levels, &row, &column);
        col[--first[row]] = column;
    }
}

/* Adds the edges of a row, each once. */
static void add_row(bench_builder *b, bench_random *random, int64_t *edge, int64_t count)
{
    bench_sort_columns(edge, count);
    for (int64_t k = 0; k < count; k++)
        if (k == 0 || edge[k] != edge[k - 1])
            bench_builder_add(b, edge[k], 2 * bench_random_unit(random) - 1);
    bench_builder_end_row(b);
}

spmv_status bench_rmat_build(int levels, int64_t degree, uint64_t seed, bench_matrix **out)
{
    const int64_t rows = (int64_t)1 << levels, edges = degree * rows;
    bench_random random = bench_random_stream(seed, 1, 0);
    int64_t *first = calloc((size_t)rows + 1, sizeof *first);
    int64_t *col = malloc((size_t)edges * sizeof *col);
    bench_builder *b = first && col ? bench_builder_create(rows) : NULL;

    *out = NULL;
    if (b)
        draw_rows(seed, levels, edges, first, col);
    for (int64_t row = 0; b && row < rows; row++)
        add_row(b, &random, col + first[row], first[row + 1] - first[row]);
    free(first);
    free(col);
    return b ? bench_builder_finish(b, out) : SPMV_OUT_OF_MEMORY;
}
