/* csr_rows.h: the row pointers of a peer's CSR, of either width, and equal shares of nonzeros. */
#ifndef BENCH_CSR_ROWS_H
#define BENCH_CSR_ROWS_H

#include "bench/peers/spmv_peer.h"

static inline int64_t row_begin(const spmv_peer_matrix *a, int64_t r)
{
    return a->offset_bits == 64 ? ((const int64_t *)a->row_ptr)[r]
                                : ((const int32_t *)a->row_ptr)[r];
}

/* The first row that begins at nonzero k or later. */
static inline int64_t row_from(const spmv_peer_matrix *a, int64_t k)
{
    int64_t low = 0, high = a->rows;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (row_begin(a, middle) < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first row of thread t, so that threads have about the same number of nonzeros. */
static inline int64_t first_row_of(const spmv_peer_matrix *a, int32_t t)
{
    return t == 0 ? 0 : t == a->threads ? a->rows : row_from(a, a->nnz * t / a->threads);
}

#endif
