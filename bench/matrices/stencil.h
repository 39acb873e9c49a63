/* stencil.h: the matrix of a stencil on a grid, or of a mesh, as finite elements have it: each
 * point has one unknown or several, which are coupled with all unknowns of its neighbours.
 * Symmetric; the columns of a row ascend. */
#ifndef BENCH_STENCIL_H
#define BENCH_STENCIL_H

#include <stdbool.h>

#include "bench/matrices/matrix.h"

typedef struct bench_stencil {
    int64_t nx, ny, nz;          /* points; a square grid has nz 1 */
    bool corners;                /* all 8 or 26 neighbours, not only the nearest 4 or 6 */
    double centre;               /* the value on the diagonal, of a stencil; others are -1 */
    int64_t unknowns;            /* of a point of a mesh, whose values are between -1 and 1; 0: it
                                    is a stencil */
    uint64_t seed;               /* of these values */
} bench_stencil;

spmv_status bench_stencil_build(const bench_stencil *stencil, bench_matrix **out);

#endif
