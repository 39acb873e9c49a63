/* layout_stats.h: statistics of an EVC-HYB layout, for reports. */
#ifndef SPMV_EVC_HYB_LAYOUT_STATS_H
#define SPMV_EVC_HYB_LAYOUT_STATS_H

#include "layout.h"

static i32 layout_stats(const spmv_layout *layout, spmv_figure *figure)
{
    const i64 *number = layout->number;
    const spmv_csr *csr = &layout->csr;
    const i64 padding = number[NUMBER_ELL_ENTRIES] + number[NUMBER_VCSR_NNZ] - csr->nnz;
    const f64 ell = (f64)i64_max(number[NUMBER_ELL_ENTRIES], 1);
    const f64 csr_bytes = (f64)csr->nnz * entry_bytes(csr) +
                          (f64)(csr->rows + 1) * offset_bytes(csr);
    f64 bytes = 0;
    i32 n = 0;

    for (i32 i = 0; i < (NARROW_SPAN ? NARROW_ARRAYS_END : ARRAY_COUNT); i++)
        bytes += (f64)layout->array[i].bytes;
    n = add_figure(figure, n, "padding of the ELL part", "%", 100 * (f64)padding / ell);
    if (VCSR_ALIGNMENT > 1) {
        const f64 vcsr = (f64)i64_max(number[NUMBER_VCSR_ENTRIES], 1);
        n = add_figure(figure, n, "padding of the vCSR part", "%",
                       100 * (f64)(number[NUMBER_VCSR_ENTRIES] - number[NUMBER_VCSR_NNZ]) / vcsr);
    }
    n = add_figure(figure, n, "rows of the ELL part", "rows", (f64)number[NUMBER_ELL_ROWS]);
    n = add_figure(figure, n, "nonzeros of the ELL part", "nonzeros",
                   (f64)(csr->nnz - number[NUMBER_VCSR_NNZ]));
    n = add_figure(figure, n, "slices", "slices", (f64)number[NUMBER_ELL_ROWS] / ALIGNMENT);
    n = add_figure(figure, n, "slices of several lengths", "slices", (f64)number[NUMBER_MIXED]);
    n = add_figure(figure, n, "rows of the vCSR part", "rows", (f64)number[NUMBER_VCSR_ROWS]);
    n = add_figure(figure, n, "nonzeros of the vCSR part", "nonzeros",
                   (f64)number[NUMBER_VCSR_NNZ]);
    n = add_figure(figure, n, "split rows", "rows", (f64)number[NUMBER_SPLIT_ROWS]);
    n = add_figure(figure, n, "bytes, relative to CSR", "%", 100 * bytes / csr_bytes);
    return n;
}

#endif
