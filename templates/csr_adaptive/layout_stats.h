/* layout_stats.h: statistics of the row blocks, for reports. */
#ifndef SPMV_CSR_ADAPTIVE_LAYOUT_STATS_H
#define SPMV_CSR_ADAPTIVE_LAYOUT_STATS_H

#include "layout.h"

static i32 layout_stats(const spmv_layout *layout, spmv_figure *figure)
{
    const adaptive_matrix a = adaptive_view(layout);
    const spmv_csr *csr = &layout->csr;
    const f64 csr_bytes = (f64)csr->nnz * entry_bytes(csr) +
                          (f64)(csr->rows + 1) * offset_bytes(csr);
    i64 kind[KIND_COUNT] = {0};
    i32 n = 0;

    for (i64 b = 0; b < a.blocks; b++)
        kind[block_kind(&a, b)]++;
    n = add_figure(figure, n, "row blocks", "blocks", (f64)a.blocks);
    n = add_figure(figure, n, "CSR-Stream", "blocks", (f64)kind[KIND_STREAM]);
    n = add_figure(figure, n, "CSR-Vector", "blocks", (f64)kind[KIND_VECTOR]);
    n = add_figure(figure, n, "CSR-VectorL", "blocks", (f64)kind[KIND_VECTOR_L]);
    n = add_figure(figure, n, "row blocks' share of the storage", "%",
                   100.0 * ((f64)(a.blocks + 1) * sizeof(i32) + (f64)a.long_rows * sizeof(i64)) /
                       csr_bytes);
    return n;
}

#endif
