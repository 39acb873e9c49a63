/* layout_stats.h: statistics of the layout, for reports. */
#ifndef SPMV_SYMMETRIC_LAYOUT_STATS_H
#define SPMV_SYMMETRIC_LAYOUT_STATS_H

#include "layout.h"
#include "layout_runs.h"

/* Mean number of values that a vector of windows multiplies. */
static f64 values_of_vectors(const half_matrix *a)
{
    const i64 words = a->blocks > 0 ? a->block[2 * a->blocks + 1] : 0;
    f64 values = 0;
    f64 vectors = 0;

    for (i64 i = 0; i < words;) {
        const u16 *word = a->index + i;
        const i64 count = word[1] + word[2];
        values += (f64)(word[0] % HAS_DIAGONAL) * word[3];
        vectors += (f64)count;
        i += GROUP_HEAD + count * RUN_WORDS;
    }
    return vectors > 0 ? values / vectors : 0;
}

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
    n = add_figure(figure, n, "segments", "segments", (f64)a.segments);
    if (a.storage == BY_RUNS) {
        n = add_figure(figure, n, "values that a vector of columns multiplies", "values",
                       values_of_vectors(&a));
    } else {
        n = add_figure(figure, n, "diagonals of a triangle", "diagonals", (f64)a.diagonals);
        n = add_figure(figure, n, "diagonals of a block without a hole", "%",
                       a.blocks > 0 && a.diagonals > 0
                           ? 100.0 * full / (f64)(a.blocks * a.diagonals) : 0);
    }
    return add_figure(figure, n, "bytes of the layout a nonzero", "bytes",
                      layout->csr.nnz > 0 ? bytes / (f64)layout->csr.nnz : 0);
}

#endif
