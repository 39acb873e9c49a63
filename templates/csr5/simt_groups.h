/* simt_groups.h: how the work is divided among work-groups and kernels. */
#ifndef SPMV_CSR5_SIMT_GROUPS_H
#define SPMV_CSR5_SIMT_GROUPS_H

#include "../prelude/base.h"

enum {
    GROUP_TILES = WORK_GROUP_SIZE / OMEGA,
    SHORT_TILES = 32,            /* most parts of a row, besides its first, that a work-item adds */
    OVERHANG_STEPS = 4           /* most nonzeros of an overhang, for each work-item of the tile */
};

/* The overhang of a tile are the nonzeros of its last row that lie in the next tile. Up to this
 * many are added by the tile in which the row begins, so that no sum is left for another kernel. */
DEVICE i64 overhang_limit(i32 tile_size)
{
    return i64_min(tile_size, OVERHANG_STEPS * OMEGA);
}

#endif
