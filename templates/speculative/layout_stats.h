/* layout_stats.h: statistics of tiles, for reports. */
#ifndef SPMV_SPECULATIVE_LAYOUT_STATS_H
#define SPMV_SPECULATIVE_LAYOUT_STATS_H

#include "layout.h"
#include "layout_dirty.h"

static i32 layout_stats(const spmv_layout *layout, spmv_figure *figure)
{
    const spec_matrix a = spec_view(layout);
    const dirty_counts found = find_dirty_tiles(&a, NULL, NULL, NULL);
    i32 n = 0;

    n = add_figure(figure, n, "tiles", "tiles", (f64)a.tiles);
    n = add_figure(figure, n, "dirty tiles", "tiles", (f64)found.tiles);
    n = add_figure(figure, n, "segments of dirty tiles", "segments", (f64)found.segments);
    n = add_figure(figure, n, "synchronizer", "entries", (f64)a.bunches);
    return n;
}

#endif
