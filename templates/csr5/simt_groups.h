/* simt_groups.h: how the work is divided among work-groups and kernels. */
#ifndef SPMV_CSR5_SIMT_GROUPS_H
#define SPMV_CSR5_SIMT_GROUPS_H

#include "../prelude/base.h"

enum {
    GROUP_TILES = WORK_GROUP_SIZE / OMEGA,
    SHORT_TILES = 32,            /* most parts of a row, besides its first, that a work-item adds */
    OVERHANG_STEPS = 4           /* nonzeros of an overhang, for each work-item of the tile */
};

/* The overhang of a tile are the nonzeros of its last row that lie in the next tile. Up to a limit
 * they are added by the tile in which the row begins, so that no sum is left for another kernel.
 * The limit is this one, or, if that leaves no sum at all, the size of a tile. */
DEVICE i32 least_overhang_limit(i32 tile_size)
{
    return tile_size < OVERHANG_STEPS * OMEGA ? tile_size : OVERHANG_STEPS * OMEGA;
}

#endif
