/* simd_workspace.h: the workspace if both stages run on the CPU: one block of memory, which is
 * divided into the arrays of the drawing above. */
#ifndef SPMV_SPECULATIVE_SIMD_WORKSPACE_H
#define SPMV_SPECULATIVE_SIMD_WORKSPACE_H

#include "layout.h"

/* Whether a tile's first stage stores all its rows itself, for any beta. */
enum { REPAIRS_AT_ONCE = REPAIR == BY_DEVICE };

/* Offsets of the arrays in the workspace, in bytes. */
typedef struct workspace_map {
    i64 open_row, dirty, tile_row, end;
} workspace_map;

/* Rounds up to a multiple of a cache line. */
HOST i64 round_up_to_line(i64 bytes)
{
    return i64_ceil_div(bytes, SPMV_ALIGNMENT) * SPMV_ALIGNMENT;
}

static workspace_map workspace_map_of(const spec_matrix *a)
{
    const i64 speculated = REPAIRS_AT_ONCE ? 0 : 1;
    workspace_map map;

    map.open_row = round_up_to_line(a->bunches * 2 * a->value_bytes);
    map.dirty = map.open_row + round_up_to_line(a->bunches * (i64)sizeof(i32));
    map.tile_row = map.dirty + round_up_to_line(speculated * a->bunches * (i64)sizeof(u64));
    map.end = map.tile_row + round_up_to_line(speculated * a->tiles * (i64)sizeof(i32));
    return map;
}

#endif
