/* layout_stats.h: statistics of a CSR5 layout, for reports. */
#ifndef SPMV_CSR5_LAYOUT_STATS_H
#define SPMV_CSR5_LAYOUT_STATS_H

#include "layout.h"

static i32 layout_stats(const spmv_layout *layout, spmv_figure *figure)
{
    const csr5_matrix a = csr5_view(layout);
    i64 empty = 0;
    i64 fast = 0;
    i32 n = 0;

    for (i64 t = 0; t < a.tiles; t++) {
        empty += tile_has_empty_rows(a.tile_ptr[t]);
        fast += tile_row(a.tile_ptr[t]) == tile_row(a.tile_ptr[t + 1]);
    }
    n = add_figure(figure, n, "sigma", "nonzeros", a.shape.sigma);
    n = add_figure(figure, n, "tiles", "tiles", (f64)a.tiles);
    n = add_figure(figure, n, "tiles in one row", "tiles", (f64)fast);
    n = add_figure(figure, n, "tiles with empty rows", "tiles", (f64)empty);
    n = add_figure(figure, n, "tiles with 16-bit columns", "tiles", (f64)(a.tiles - a.wide_tiles));
    return n;
}

#endif
