/* simd_workspace.h: the workspace if both stages run on the CPU: one block of memory, which is
 * divided into the arrays. */
#ifndef SPMV_SPECULATIVE_SIMD_WORKSPACE_H
#define SPMV_SPECULATIVE_SIMD_WORKSPACE_H

#include "build.h"
#include "layout.h"

/* Offsets of the arrays in the workspace, in bytes. */
typedef struct workspace_map {
    i64 open_row, dirty, dirty_rows, record, end;
} workspace_map;

/* Rounds up to a multiple of a cache line. */
HOST i64 round_up_to_line(i64 bytes)
{
    return i64_ceil_div(bytes, SPMV_ALIGNMENT) * SPMV_ALIGNMENT;
}

static workspace_map workspace_map_of(const spec_matrix *a, i64 records)
{
    const i64 detected_bunches = a->is_kept ? 0 : a->bunches;
    const i64 detected_tiles = a->is_kept ? 0 : a->tiles;
    workspace_map map;

    map.open_row = round_up_to_line(a->bunches * 2 * a->value_bytes);
    map.dirty = map.open_row + round_up_to_line(a->bunches * (i64)sizeof(i32));
    map.dirty_rows = map.dirty + round_up_to_line(detected_bunches * (i64)sizeof(u64));
    map.record = map.dirty_rows + round_up_to_line(detected_tiles * 2 * (i64)sizeof(i32));
    map.end = map.record + records * a->value_bytes;
    return map;
}

static spmv_status spec_workspace(spmv_layout *layout, const spec_matrix *a, i64 records)
{
    return set_workspace(layout, workspace_map_of(a, records).end, 1);
}

#endif
