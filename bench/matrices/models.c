/* models.c: models of real matrices, for timing; see shapes.h.
 *
 * The columns of a row ascend, as in most files. Sizes are numbers of rows, rounded up to whole
 * grids or blocks.
 */
#include "bench/matrices/shapes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bench/matrices/random.h"
#include "bench/matrices/rmat.h"
#include "bench/matrices/sort.h"
#include "bench/matrices/stencil.h"

/* The smallest n with n^dimensions >= size. */
static int64_t side_of(int64_t size, int dimensions)
{
    int64_t n = dimensions == 2 ? (int64_t)sqrt((double)size) : (int64_t)cbrt((double)size);

    while (n > 1 && (dimensions == 2 ? n * n : n * n * n) >= size)
        n--;
    while ((dimensions == 2 ? n * n : n * n * n) < size)
        n++;
    return n;
}

/* ---- grids --------------------------------------------------------------------------------- */

typedef struct grid {
    int dimensions;
    bool corners;                /* with all 26 neighbours */
} grid;

static spmv_status build_grid(const void *parameters, int64_t size, uint64_t seed,
                              bench_matrix **out)
{
    const grid *g = parameters;
    const int64_t n = side_of(size, g->dimensions), depth = g->dimensions == 3 ? n : 1;
    const double centre = g->corners ? 26 : depth > 1 ? 6 : 4;

    (void)seed;
    return bench_stencil_build(&(bench_stencil){ .nx = n, .ny = n, .nz = depth,
                                                 .corners = g->corners, .centre = centre }, out);
}

/* ---- random columns ------------------------------------------------------------------------ */

/* Sorts the columns and adds them as a row. */
static void add_sorted(bench_builder *b, bench_random *random, int64_t *col, int64_t length)
{
    bench_sort_columns(col, length);
    for (int64_t k = 0; k < length; k++)
        bench_builder_add(b, col[k], 2 * bench_random_unit(random) - 1);
    bench_builder_end_row(b);
}

enum { LONGEST = 1 << 18 };      /* limit for random rows: the size of their buffer */

/* Functions of a row, which draw its length and one of its columns. */
typedef struct random_rows {
    int64_t (*length)(bench_random *random, int64_t row, int64_t size);
    int64_t (*column)(bench_random *random, int64_t row, int64_t size);
} random_rows;

static spmv_status build_random(const void *parameters, int64_t size, uint64_t seed,
                                bench_matrix **out)
{
    const random_rows *draw = parameters;
    bench_random random = { seed };
    int64_t *col = malloc(LONGEST * sizeof *col);
    bench_builder *b = bench_builder_create(size);

    *out = NULL;
    for (int64_t row = 0; col && b && row < size; row++) {
        int64_t n = draw->length(&random, row, size);
        n = n < LONGEST ? n : LONGEST;
        for (int64_t k = 0; k < n; k++)
            col[k] = draw->column(&random, row, size);
        add_sorted(b, &random, col, n);
    }
    const spmv_status status = bench_builder_finish(b, out);
    if (!col) {
        bench_matrix_destroy(*out);
        *out = NULL;
    }
    free(col);
    return col ? status : SPMV_OUT_OF_MEMORY;
}

static int64_t anywhere(bench_random *random, int64_t row, int64_t size)
{
    (void)row;
    return bench_random_below(random, size);
}

static int64_t near_diagonal(bench_random *random, int64_t row, int64_t size)
{
    const int64_t col = row + bench_random_below(random, 401) - 200;
    return col < 0 ? 0 : col >= size ? size - 1 : col;
}

/* A product of uniform numbers favours low columns, which are the hubs. */
static int64_t near_hubs(bench_random *random, int64_t row, int64_t size)
{
    const double u = bench_random_unit(random) * bench_random_unit(random);
    (void)row;
    return (int64_t)(u * bench_random_unit(random) * (double)size);
}

static int64_t length_16(bench_random *random, int64_t row, int64_t size)
{
    (void)random, (void)row, (void)size;
    return 16;
}

static int64_t length_1_to_9(bench_random *random, int64_t row, int64_t size)
{
    (void)row, (void)size;
    return 1 + bench_random_below(random, 9);
}

static int64_t length_half_empty(bench_random *random, int64_t row, int64_t size)
{
    (void)row, (void)size;
    return bench_random_bits(random) & 1 ? 0 : 1 + bench_random_below(random, 7);
}

static int64_t length_power_law(bench_random *random, int64_t row, int64_t size)
{
    (void)row, (void)size;
    /* Unlike pow, sqrt gives the same bits on every machine. */
    const double root = sqrt(1 - bench_random_unit(random));
    return (int64_t)(2 / (root * sqrt(root)));
}

/* Short rows, and one row in 20000 with half of the columns. */
static int64_t length_few_huge(bench_random *random, int64_t row, int64_t size)
{
    return row % 20000 == 7 ? size / 2 : 2 + bench_random_below(random, 4);
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* Finite elements with 6 unknowns a node: 10 dense 6 x 6 blocks in each block row. */
static spmv_status build_blocks(const void *parameters, int64_t size, uint64_t seed,
                                bench_matrix **out)
{
    enum { EDGE = 6, BLOCKS = 10 };
    const int64_t nodes = (size + EDGE - 1) / EDGE;
    bench_random random = { seed };
    bench_builder *b = bench_builder_create(nodes * EDGE);

    (void)parameters;
    if (!b)
        return SPMV_OUT_OF_MEMORY;
    for (int64_t node = 0; node < nodes; node++) {
        int64_t first[BLOCKS];
        for (int k = 0; k < BLOCKS; k++)
            first[k] = near_diagonal(&random, node, nodes) * EDGE;
        bench_sort_columns(first, BLOCKS);
        for (int row = 0; row < EDGE; row++) {
            for (int c = 0; c < BLOCKS * EDGE; c++)
                bench_builder_add(b, first[c / EDGE] + c % EDGE,
                                  2 * bench_random_unit(&random) - 1);
            bench_builder_end_row(b);
        }
    }
    return bench_builder_finish(b, out);
}

/* ---- graphs -------------------------------------------------------------------------------- */

static spmv_status build_rmat(const void *parameters, int64_t size, uint64_t seed,
                              bench_matrix **out)
{
    int levels = 0;

    (void)parameters;
    while (((int64_t)1 << levels) < size)
        levels++;
    return bench_rmat_build(levels, 16, seed, out);
}

#define GRID(dimensions, corners) build_grid, &(const grid){ dimensions, corners }
#define RANDOM(length, column) build_random, &(const random_rows){ length, column }

static const bench_shape models[] = {
    { "poisson-2d", "5-point Poisson problem on a square", 1000000, 1, 5000, GRID(2, false) },
    { "poisson-3d", "7-point Poisson problem on a cube", 1000000, 1, 5000, GRID(3, false) },
    { "stencil-27", "27-point stencil on a cube", 250000, 1, 1000, GRID(3, true) },
    { "uniform", "16 entries a row, columns anywhere", 500000, 1, 2000,
      RANDOM(length_16, anywhere) },
    { "banded", "16 entries a row within 200 columns of the diagonal", 500000, 1, 2000,
      RANDOM(length_16, near_diagonal) },
    { "irregular", "1 to 9 entries a row near the diagonal", 1000000, 1, 5000,
      RANDOM(length_1_to_9, near_diagonal) },
    { "half-empty", "half the rows empty, 1 to 7 entries in the others", 1000000, 1, 5000,
      RANDOM(length_half_empty, anywhere) },
    { "power-law", "row lengths and columns as in a graph with hubs", 500000, 1, 5000,
      RANDOM(length_power_law, near_hubs) },
    { "rmat", "R-MAT graph, 16 edges a row on average, hubs first", 1000000, 1, 1000, build_rmat,
      NULL },
    { "circuit", "2 to 5 entries a row, and one huge row in 20000", 500000, 1, 5000,
      RANDOM(length_few_huge, near_diagonal) },
    { "blocks", "dense 6 x 6 blocks, 10 in a block row", 120000, 1, 500, build_blocks, NULL },
};

const bench_shape *bench_model_shapes(size_t *count)
{
    *count = sizeof models / sizeof models[0];
    return models;
}
