/* stencil.c: see stencil.h. */
#include "bench/matrices/stencil.h"

#include "bench/matrices/random.h"

/* The value of an entry and of its mirror. */
static double value_of(const bench_stencil *s, int64_t row, int64_t col)
{
    const uint64_t low = (uint64_t)(row < col ? row : col);
    const uint64_t high = (uint64_t)(row < col ? col : row);

    if (s->unknowns == 0)
        return row == col ? s->centre : -1;
    bench_random random = bench_random_stream(s->seed, 0, low << 32 | high);
    return 2 * bench_random_unit(&random) - 1;
}

static void add_row(const bench_stencil *s, bench_builder *b, int64_t unknowns, int64_t row)
{
    const int64_t point = row / unknowns;
    const int64_t i = point % s->nx, j = point / s->nx % s->ny, k = point / s->nx / s->ny;

    for (int64_t n = 0; n < 27; n++) {
        const int64_t di = n % 3 - 1, dj = n / 3 % 3 - 1, dk = n / 9 - 1;
        const int64_t first = (point + di + s->nx * (dj + s->ny * dk)) * unknowns;

        if (i + di < 0 || i + di >= s->nx || j + dj < 0 || j + dj >= s->ny || k + dk < 0 ||
            k + dk >= s->nz || (di * di + dj * dj + dk * dk > 1 && !s->corners))
            continue;
        for (int64_t col = first; col < first + unknowns; col++)
            bench_builder_add(b, col, value_of(s, row, col));
    }
    bench_builder_end_row(b);
}

spmv_status bench_stencil_build(const bench_stencil *stencil, bench_matrix **out)
{
    const int64_t unknowns = stencil->unknowns > 0 ? stencil->unknowns : 1;
    const int64_t rows = stencil->nx * stencil->ny * stencil->nz * unknowns;
    bench_builder *b = bench_builder_create(rows);

    *out = NULL;
    if (!b)
        return SPMV_OUT_OF_MEMORY;
    for (int64_t row = 0; row < rows; row++)
        add_row(stencil, b, unknowns, row);
    return bench_builder_finish(b, out);
}
