/* layout_stats.h: statistics of the diagonals, for reports. */
#ifndef SYMMETRIC_LAYOUT_STATS_H
#define SYMMETRIC_LAYOUT_STATS_H

#include "layout.h"

static i32 layout_stats(const spmv_layout *layout, spmv_figure *figure)
{
    const half_matrix a = half_view(layout);
    f64 full = 0;
    f64 bytes = 0;
    i32 n = 0;

    for (i64 i = 0; i < a.blocks * a.diagonals; i++)
        full += a.full[i];
    for (i32 i = 0; i < ARRAY_COUNT; i++)
        bytes += (f64)layout->array[i].bytes;
    n = add_figure(figure, n, "diagonals of a triangle", "diagonals", (f64)a.diagonals);
    n = add_figure(figure, n, "segments", "segments", (f64)a.segments);
    n = add_figure(figure, n, "diagonals of a block without a hole", "%",
                   a.blocks > 0 && a.diagonals > 0
                       ? 100.0 * full / (f64)(a.blocks * a.diagonals) : 0);
    return add_figure(figure, n, "bytes of the layout a nonzero", "bytes",
                      layout->csr.nnz > 0 ? bytes / (f64)layout->csr.nnz : 0);
}

#endif
