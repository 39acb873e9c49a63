/* layout_stats.h: statistics of the row blocks, for reports. */
#ifndef SPMV_CSR_ADAPTIVE_LAYOUT_STATS_H
#define SPMV_CSR_ADAPTIVE_LAYOUT_STATS_H

#include "build.h"
#include "layout.h"

enum {                           /* ways in which rows are added */
    ADD_SCALAR,                  /* CSR-Stream, one work-item or lane for each row */
    ADD_LOGARITHMIC,             /* CSR-Stream, several of them for each row */
    ADD_VECTOR,                  /* CSR-Vector */
    ADD_VECTOR_L,                /* CSR-VectorL */
    ADD_COUNT
};

/* Writes the statistics, and returns their number. CSR-Stream adds blocks of at least `scalar_from`
 * rows by the scalar reduction. */
static i32 block_stats(const spmv_layout *layout, spmv_figure *figure, i32 scalar_from)
{
    static const c8 *const name[ADD_COUNT] = {
        "CSR-Stream, scalar", "CSR-Stream, logarithmic", "CSR-Vector", "CSR-VectorL"
    };
    static const c8 *const rows_of[ADD_COUNT] = {
        "rows of CSR-Stream, scalar", "rows of CSR-Stream, logarithmic", "rows of CSR-Vector",
        "rows of CSR-VectorL"
    };
    const spmv_csr *csr = &layout->csr;
    const f64 csr_bytes = (f64)csr->nnz * entry_bytes(csr) +
                          (f64)(csr->rows + 1) * offset_bytes(csr);
    i64 blocks[ADD_COUNT] = {0};
    i64 rows[ADD_COUNT] = {0};
    packed_block block = no_block(layout);
    i32 n = 0;

    while (next_block(&block)) {
        /* Of the parts of a row, only the last counts the row. */
        const i32 count = block.end - block.row;
        const i32 way = block.part >= 0 ? ADD_VECTOR_L
                        : kind_of_rows(count, block.count) == KIND_VECTOR ? ADD_VECTOR
                        : count >= scalar_from ? ADD_SCALAR : ADD_LOGARITHMIC;

        blocks[way]++;
        rows[way] += count;
    }
    n = add_figure(figure, n, "row blocks", "blocks", (f64)layout->number[NUMBER_BLOCKS]);
    for (i32 i = 0; i < ADD_COUNT; i++)
        n = add_figure(figure, n, name[i], "blocks", (f64)blocks[i]);
    for (i32 i = 0; i < ADD_COUNT; i++)
        n = add_figure(figure, n, rows_of[i], "rows", (f64)rows[i]);
    n = add_figure(figure, n, "row blocks' share of the storage", "%",
                   100.0 * (f64)(layout->array[ROW_BLOCK].bytes + layout->array[LONG_BLOCK].bytes) /
                       csr_bytes);
    return n;
}

#endif
