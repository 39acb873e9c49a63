/* mesh.c: see mesh.h. */
#include "bench/matrices/mesh.h"

#include "bench/matrices/random.h"

/* The value of an entry and of its mirror. */
static double value_of(const bench_mesh *mesh, int64_t row, int64_t col)
{
    const uint64_t low = (uint64_t)(row < col ? row : col);
    const uint64_t high = (uint64_t)(row < col ? col : row);
    bench_random random = bench_random_stream(mesh->seed, 0, low << 32 | high);

    return 2 * bench_random_unit(&random) - 1;
}

static bool is_inside(const bench_mesh *mesh, int64_t i)
{
    return i >= 0 && i < mesh->side;
}

static void add_row(const bench_mesh *mesh, bench_builder *b, int64_t point, int64_t row)
{
    const int64_t side = mesh->side;
    const int64_t i = point % side, j = point / side % side, k = point / side / side;

    for (int64_t n = 0; n < 27; n++) {
        const int64_t di = n % 3 - 1, dj = n / 3 % 3 - 1, dk = n / 9 - 1;
        const int64_t first = (point + di + side * (dj + side * dk)) * mesh->unknowns;

        if (!is_inside(mesh, i + di) || !is_inside(mesh, j + dj) || !is_inside(mesh, k + dk) ||
            (di * di + dj * dj + dk * dk > 1 && !mesh->corners))
            continue;
        for (int64_t col = first; col < first + mesh->unknowns; col++)
            bench_builder_add(b, col, value_of(mesh, row, col));
    }
    bench_builder_end_row(b);
}

spmv_status bench_mesh_build(const bench_mesh *mesh, bench_matrix **out)
{
    const int64_t rows = mesh->side * mesh->side * mesh->side * mesh->unknowns;
    bench_builder *b = bench_builder_create(rows);

    *out = NULL;
    if (!b)
        return SPMV_OUT_OF_MEMORY;
    for (int64_t row = 0; row < rows; row++)
        add_row(mesh, b, row / mesh->unknowns, row);
    return bench_builder_finish(b, out);
}
