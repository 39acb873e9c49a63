/* simt_groups.h: how work is shared out to work-groups. */
#ifndef SPMV_CSR5_SIMT_GROUPS_H
#define SPMV_CSR5_SIMT_GROUPS_H

#include "../prelude/base.h"

enum {
    GROUP_TILES = WORK_GROUP_SIZE / OMEGA,
    SHORT_TILES = 32,            /* parts of a row, besides its first, that one work-item adds */
    OVERHANG_STEPS = 4               /* nonzeros of the rest of a row, for each work-item of the tile */
};

/* A row that goes on behind the tile in which it begins by no more nonzeros than these is that
 * tile's alone: it reads them from the next tile, so that no sum is left for another kernel. */
DEVICE i64 overhang_limit(i32 tile_size)
{
    return i64_min(tile_size, OVERHANG_STEPS * OMEGA);
}

#endif
