/* generators.c: see generators.h. Values of random matrices are between -1 and 1. */
#include "bench/matrices/generators.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/random.h"
#include "bench/matrices/rmat.h"
#include "bench/matrices/stencil.h"

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- stencils: side ------------------------------------------------------------------------ */

enum { LONGEST_SQUARE = 46340, LONGEST_CUBE = 1290 };    /* their points are below 2^31 */

static void measure_square(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    *rows = *cols = value[0] * value[0];
    *nnz = 5 * *rows;
}

static void measure_square_9(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    measure_square(value, rows, cols, nnz);
    *nnz = (3 * value[0] - 2) * (3 * value[0] - 2);
}

static void measure_cube(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    *rows = *cols = value[0] * value[0] * value[0];
    *nnz = 7 * *rows;
}

static void measure_cube_27(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    measure_cube(value, rows, cols, nnz);
    *nnz = (3 * value[0] - 2) * (3 * value[0] - 2) * (3 * value[0] - 2);
}

static spmv_status build_grid(int64_t side, int64_t depth, bool corners, double centre,
                              bench_matrix **out)
{
    return bench_stencil_build(&(bench_stencil){ .nx = side, .ny = side, .nz = depth,
                                                 .corners = corners, .centre = centre }, out);
}

static spmv_status build_square(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    (void)seed;
    return build_grid(value[0], 1, false, 4, out);
}

static spmv_status build_square_9(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    (void)seed;
    return build_grid(value[0], 1, true, 8, out);
}

/* A cube of side 1 has the centre that the shapes poisson-3d and stencil-27 give it. */
static spmv_status build_cube(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    (void)seed;
    return build_grid(value[0], value[0], false, value[0] > 1 ? 6 : 4, out);
}

static spmv_status build_cube_27(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    (void)seed;
    return build_grid(value[0], value[0], true, 26, out);
}

/* ---- meshes: side, unknowns of a point ------------------------------------------------------- */

enum { LONGEST_MESH = 812, MOST_UNKNOWNS = 4 };          /* rows are below 2^31 */

static void measure_mesh_7(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    const int64_t square = value[0] * value[0];

    *rows = *cols = square * value[0] * value[1];
    *nnz = (7 * square * value[0] - 6 * square) * value[1] * value[1];
}

static void measure_mesh_27(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    measure_cube_27(value, rows, cols, nnz);
    *rows = *cols = *rows * value[1];
    *nnz *= value[1] * value[1];
}

static spmv_status build_mesh(const int64_t *value, bool corners, uint64_t seed, bench_matrix **out)
{
    return bench_stencil_build(&(bench_stencil){ .nx = value[0], .ny = value[0], .nz = value[0],
                                                 .corners = corners, .unknowns = value[1],
                                                 .seed = seed }, out);
}

static spmv_status build_mesh_7(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    return build_mesh(value, false, seed, out);
}

static spmv_status build_mesh_27(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    return build_mesh(value, true, seed, out);
}

/* ---- bands: rows, half-bandwidth ----------------------------------------------------------- */

static void measure_band(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    const int64_t half = smaller(value[1], value[0] - 1);

    *rows = *cols = value[0];
    *nnz = value[0] * (2 * half + 1) - half * (half + 1);
}

/* Symmetric and diagonally dominant: 2 * half on the diagonal, and -1 beside it. */
static spmv_status build_band(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    const int64_t rows = value[0], half = smaller(value[1], rows - 1);
    bench_builder *b = bench_builder_create(rows);

    (void)seed;
    *out = NULL;
    for (int64_t row = 0; b && row < rows; row++) {
        const int64_t end = smaller(row + half + 1, rows);
        for (int64_t col = row > half ? row - half : 0; col < end; col++)
            bench_builder_add(b, col, col != row ? -1 : half > 0 ? 2.0 * (double)half : 1);
        bench_builder_end_row(b);
    }
    return b ? bench_builder_finish(b, out) : SPMV_OUT_OF_MEMORY;
}

static void measure_tridiagonal(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    measure_band((const int64_t[]){ value[0], 1 }, rows, cols, nnz);
}

static spmv_status build_tridiagonal(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    return build_band((const int64_t[]){ value[0], 1 }, seed, out);
}

/* ---- random rows: rows, nonzeros a row, distribution, columns ------------------------------- */

/* Adds `count` columns below cols, ascending: each is drawn from its own part of the columns, so
 * they differ without sorting. */
static void add_row(bench_builder *b, bench_random *random, int64_t count, int64_t cols)
{
    for (int64_t k = 0, begin = 0, end; k < count; k++, begin = end) {
        end = (k + 1) * cols / count;
        /* In a statement of its own: compilers evaluate arguments in different orders. */
        const double val = 2 * bench_random_unit(random) - 1;
        bench_builder_add(b, begin + bench_random_below(random, end - begin), val);
    }
    bench_builder_end_row(b);
}

enum { SHORT_OF_BIMODAL = 2, LONG_ONE_IN = 10 };

typedef enum distribution { UNIFORM, CONSTANT, POWER_LAW, BIMODAL, HALF_EMPTY } distribution;

static const char *const distributions[] = {
    [UNIFORM] = "uniform", [CONSTANT] = "constant", [POWER_LAW] = "power-law",
    [BIMODAL] = "bimodal", [HALF_EMPTY] = "half-empty", [HALF_EMPTY + 1] = NULL
};

/* A length with this average. */
static int64_t draw_length(bench_random *random, distribution kind, int64_t average)
{
    double root;

    switch (kind) {
    case UNIFORM:                /* 1 to 2 * average - 1 */
        return average > 0 ? 1 + bench_random_below(random, 2 * average - 1) : 0;
    case POWER_LAW:
        /* u^(-3/4) has the average 4. Unlike pow, sqrt gives the same bits on every machine.
         * The fraction is rounded at random, which keeps the average. */
        root = sqrt(1 - bench_random_unit(random));
        return (int64_t)((double)average / 4 / (root * sqrt(root)) + bench_random_unit(random));
    case BIMODAL:                /* half of the average, and now and then what is missing to it */
        return bench_random_below(random, LONG_ONE_IN) > 0
                   ? average / SHORT_OF_BIMODAL
                   : LONG_ONE_IN * average - (LONG_ONE_IN - 1) * (average / SHORT_OF_BIMODAL);
    case HALF_EMPTY:
        return bench_random_bits(random) & 1 ? 2 * average : 0;
    case CONSTANT:
        break;
    }
    return average;
}

static void measure_random(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    *rows = value[0];
    *cols = value[3] > 0 ? value[3] : value[0];
    *nnz = *rows * smaller(value[1], *cols);
}

static spmv_status build_random(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    bench_random lengths = bench_random_stream(seed, 2, 0);
    bench_random places = bench_random_stream(seed, 2, 1);
    int64_t rows, cols, nnz;

    *out = NULL;
    measure_random(value, &rows, &cols, &nnz);
    bench_builder *b = bench_builder_create(cols);
    if (!b)
        return SPMV_OUT_OF_MEMORY;
    for (int64_t row = 0; row < rows; row++) {
        const int64_t length = draw_length(&lengths, (distribution)value[2], value[1]);
        add_row(b, &places, smaller(length, cols), cols);
    }
    return bench_builder_finish(b, out);
}

/* ---- blocks: rows, edge, blocks a row -------------------------------------------------------- */

static void measure_blocks(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    const int64_t nodes = (value[0] + value[1] - 1) / value[1];

    *rows = *cols = nodes * value[1];
    *nnz = *rows * value[1] * smaller(value[2], nodes);
}

/* Finite elements with `edge` unknowns a node: dense blocks, one of them on the diagonal and the
 * others within 20 times their number of it. */
static spmv_status build_blocks(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    const int64_t edge = value[1], nodes = (value[0] + edge - 1) / edge;
    const int64_t count = smaller(value[2], nodes), width = smaller(20 * count + 1, nodes);
    bench_random places = bench_random_stream(seed, 3, 0), values = bench_random_stream(seed, 3, 1);
    bench_builder *b = bench_builder_create(nodes * edge);
    int64_t *block = malloc((size_t)count * sizeof *block);

    *out = NULL;
    for (int64_t node = 0; b && block && node < nodes; node++) {
        /* The window begins half its width before the node, and stays inside the matrix. */
        int64_t begin = node > width / 2 ? node - width / 2 : 0;
        begin = smaller(begin, nodes - width);
        for (int64_t k = 0; k < count; k++) {
            const int64_t from = begin + k * width / count, to = begin + (k + 1) * width / count;
            block[k] = node >= from && node < to ? node
                                                 : from + bench_random_below(&places, to - from);
        }
        for (int64_t row = 0; row < edge; row++) {
            for (int64_t k = 0; k < count * edge; k++)
                bench_builder_add(b, block[k / edge] * edge + k % edge,
                                  2 * bench_random_unit(&values) - 1);
            bench_builder_end_row(b);
        }
    }
    spmv_status status = block ? SPMV_OK : SPMV_OUT_OF_MEMORY;
    if (b) {
        const spmv_status finished = bench_builder_finish(b, out);
        status = status ? status : finished;
    }
    free(block);
    if (status) {
        bench_matrix_destroy(*out);
        *out = NULL;
    }
    return b ? status : SPMV_OUT_OF_MEMORY;
}

/* ---- graphs: log2 of the rows, edges a row --------------------------------------------------- */

static void measure_rmat(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    *rows = *cols = (int64_t)1 << value[0];
    *nnz = *rows * value[1];
}

static spmv_status build_rmat(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    return bench_rmat_build((int)value[0], value[1], seed, out);
}

/* ---- dense: rows, columns -------------------------------------------------------------------- */

static void measure_dense(const int64_t *value, int64_t *rows, int64_t *cols, int64_t *nnz)
{
    *rows = value[0];
    *cols = value[1] > 0 ? value[1] : value[0];
    *nnz = *rows * *cols;
}

static spmv_status build_dense(const int64_t *value, uint64_t seed, bench_matrix **out)
{
    return build_random((const int64_t[]){ value[0], INT32_MAX, CONSTANT, value[1] }, seed, out);
}

/* ---- the table ------------------------------------------------------------------------------- */

#define ROWS(number) { "ROWS", 1, INT32_MAX, number, NULL }
#define SIDE(most, number) { { "SIDE", 1, most, number, NULL } }
#define MESH(number) \
    { { "SIDE", 1, LONGEST_MESH, number, NULL }, { "UNKNOWNS", 1, MOST_UNKNOWNS, 1, NULL } }

static const bench_generator generators[] = {
    { "poisson5", "5-point Poisson problem on SIDE x SIDE points",
      SIDE(LONGEST_SQUARE, 1000), measure_square, build_square },
    { "poisson7", "7-point Poisson problem on SIDE x SIDE x SIDE points",
      SIDE(LONGEST_CUBE, 100), measure_cube, build_cube },
    { "stencil9", "9-point stencil on SIDE x SIDE points",
      SIDE(LONGEST_SQUARE, 700), measure_square_9, build_square_9 },
    { "stencil27", "27-point stencil on SIDE x SIDE x SIDE points",
      SIDE(LONGEST_CUBE, 60), measure_cube_27, build_cube_27 },
    { "mesh7", "SIDE x SIDE x SIDE points with UNKNOWNS each and 6 neighbours, any values",
      MESH(100), measure_mesh_7, build_mesh_7 },
    { "mesh27", "SIDE x SIDE x SIDE points with UNKNOWNS each and 26 neighbours, any values",
      MESH(40), measure_mesh_27, build_mesh_27 },
    { "tridiagonal", "three diagonals", { ROWS(1000000) }, measure_tridiagonal, build_tridiagonal },
    { "banded", "all diagonals up to HALF beside the main one",
      { ROWS(500000), { "HALF", 0, 1 << 20, 8, NULL } }, measure_band, build_band },
    { "blocks", "dense blocks of EDGE x EDGE near the diagonal, COUNT in each row of blocks",
      { ROWS(120000), { "EDGE", 1, 256, 3, NULL }, { "COUNT", 1, 10000, 20, NULL } },
      measure_blocks, build_blocks },
    { "rmat", "R-MAT graph with 2^LOG2 vertices and EDGES edges a vertex",
      { { "LOG2", 0, 30, 20, NULL }, { "EDGES", 1, 10000, 16, NULL } }, measure_rmat, build_rmat },
    { "random", "MEAN nonzeros a row on average, lengths by LENGTHS, columns anywhere",
      { ROWS(500000), { "MEAN", 0, 1 << 20, 16, NULL },
        { "LENGTHS", 0, 0, UNIFORM, distributions }, { "COLS", 0, INT32_MAX, 0, NULL } },
      measure_random, build_random },
    { "dense", "all entries of ROWS x COLS",
      { ROWS(2000), { "COLS", 0, INT32_MAX, 0, NULL } }, measure_dense, build_dense },
};

const bench_generator *bench_generators(size_t *count)
{
    *count = sizeof generators / sizeof generators[0];
    return generators;
}

const bench_generator *bench_generator_find(const char *name)
{
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++)
        if (strcmp(generators[i].name, name) == 0)
            return &generators[i];
    return NULL;
}
