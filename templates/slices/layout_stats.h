/* layout_stats.h: statistics of a layout of slices, for reports. */
#ifndef SPMV_SLICES_LAYOUT_STATS_H
#define SPMV_SLICES_LAYOUT_STATS_H

#include "layout.h"

static i32 layout_stats(const spmv_layout *layout, spmv_figure *figure)
{
    const spmv_csr *csr = &layout->csr;
    const i64 *number = layout->number;
    const i32 *head = (const i32 *)layout->array[HEAD].data;
    const f64 places = (f64)i64_max(number[NUMBER_VALUES], 1) * SLICE_ROWS;
    const f64 csr_bytes = (f64)csr->nnz * entry_bytes(csr) +
                          (f64)(csr->rows + 1) * offset_bytes(csr);
    f64 of_kind[KIND_RUNS_OF_4 + 1] = {0};
    f64 bytes = 0;
    i32 n = 0;

    for (i64 s = 0; s < number[NUMBER_SLICES]; s++) {
        const slice_head h = read_head(head + s * HEAD_WORDS);
        of_kind[h.kind] += 100.0 * h.width * run_of(h.kind) * SLICE_ROWS / places;
    }
    for (i32 i = 0; i < ARRAY_COUNT; i++)
        bytes += (f64)layout->array[i].bytes;
    n = add_figure(figure, n, "padding", "%",
                   number[NUMBER_VALUES] ? 100 * (1 - (f64)csr->nnz / places) : 0);
    n = add_figure(figure, n, "slices", "slices", (f64)number[NUMBER_SLICES]);
    n = add_figure(figure, n, "places of diagonals", "%", of_kind[KIND_DIAGONALS]);
    n = add_figure(figure, n, "places of runs", "%",
                   of_kind[KIND_RUNS_OF_2] + of_kind[KIND_RUNS_OF_3] + of_kind[KIND_RUNS_OF_4]);
    n = add_figure(figure, n, "places with narrow columns", "%", of_kind[KIND_NARROW]);
    n = add_figure(figure, n, "places with wide columns", "%", of_kind[KIND_WIDE]);
    n = add_figure(figure, n, "nonzeros of a lane", "nonzeros", (f64)number[NUMBER_LANE_ENTRIES]);
    n = add_figure(figure, n, "split rows", "rows", (f64)number[NUMBER_SPLIT_ROWS]);
    n = add_figure(figure, n, "parts of split rows", "parts", (f64)number[NUMBER_PARTS]);
    n = add_figure(figure, n, "bytes, relative to CSR", "%", 100 * bytes / csr_bytes);
    return n;
}

#endif
