/* stencil.c: see stencil.h. */
#include "bench/matrices/stencil.h"

spmv_status bench_stencil_build(const bench_stencil *stencil, bench_matrix **out)
{
    const int64_t nx = stencil->nx, ny = stencil->ny, nz = stencil->nz;
    bench_builder *b = bench_builder_create(nx * ny * nz);

    *out = NULL;
    if (!b)
        return SPMV_OUT_OF_MEMORY;
    for (int64_t row = 0; row < nx * ny * nz; row++) {
        const int64_t i = row % nx, j = row / nx % ny, k = row / nx / ny;
        for (int64_t n = 0; n < 27; n++) {
            const int64_t di = n % 3 - 1, dj = n / 3 % 3 - 1, dk = n / 9 - 1;
            const int64_t distance = di * di + dj * dj + dk * dk;
            if (i + di < 0 || i + di >= nx || j + dj < 0 || j + dj >= ny || k + dk < 0 ||
                k + dk >= nz || (distance > 1 && !stencil->corners))
                continue;
            bench_builder_add(b, row + di + nx * (dj + ny * dk),
                              distance == 0 ? stencil->centre : -1);
        }
        bench_builder_end_row(b);
    }
    return bench_builder_finish(b, out);
}
