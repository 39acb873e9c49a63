/* mesh.h: the matrix of a mesh of cubes, as finite elements have it: each point of a grid has
 * several unknowns, which are coupled with all unknowns of its neighbours. Symmetric, with values
 * between -1 and 1; the columns of a row ascend. */
#ifndef BENCH_MESH_H
#define BENCH_MESH_H

#include <stdbool.h>

#include "bench/matrices/matrix.h"

typedef struct bench_mesh {
    int64_t side, unknowns;      /* side^3 points; unknowns of a point */
    bool corners;                /* all 26 neighbours, not only the nearest 6 */
    uint64_t seed;
} bench_mesh;

spmv_status bench_mesh_build(const bench_mesh *mesh, bench_matrix **out);

#endif
