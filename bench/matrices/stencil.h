/* stencil.h: the matrix of a stencil on a grid: `centre` on the diagonal, and -1 for each
 * neighbour. Symmetric; the columns of a row ascend. */
#ifndef BENCH_STENCIL_H
#define BENCH_STENCIL_H

#include <stdbool.h>

#include "bench/matrices/matrix.h"

typedef struct bench_stencil {
    int64_t nx, ny, nz;          /* points; a square grid has nz 1 */
    bool corners;                /* all 8 or 26 neighbours, not only the nearest 4 or 6 */
    double centre;
} bench_stencil;

spmv_status bench_stencil_build(const bench_stencil *stencil, bench_matrix **out);

#endif
