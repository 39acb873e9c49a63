/* layout_columns.h: the columns of a tile, for kernels. */
#ifndef SPMV_CSR5_LAYOUT_COLUMNS_H
#define SPMV_CSR5_LAYOUT_COLUMNS_H

#include "../prelude/base.h"
#include "layout_fields.h"

/* The columns of a complete tile: one of two arrays. */
typedef struct step_columns {
    GLOBAL const i32 *wide;
    GLOBAL const u16 *narrow;
    GLOBAL const real *xb;       /* x, moved so that the columns index it */
} step_columns;

/* The columns of the tile with this word of tile_columns. xb is indexed by columns in the caller's
 * base. */
DEVICE step_columns columns_at(u64 word, GLOBAL const i32 *col_idx,
                               GLOBAL const u16 *col_offset, GLOBAL const real *xb, i32 tile_size)
{
    const i64 begin = columns_begin(word, tile_size);
    step_columns columns = {col_idx, col_offset, xb};

    if (tile_is_narrow(word)) {
        columns.narrow = col_offset + begin;
        columns.xb = xb + first_column(word);
    } else {
        columns.wide = col_idx + begin;
    }
    return columns;
}

#endif
