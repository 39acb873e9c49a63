/* csr_rows.h: the row pointers of a peer's CSR, of either width, and equal shares of nonzeros: the
 * state of peers that need no layout. */
#ifndef BENCH_CSR_ROWS_H
#define BENCH_CSR_ROWS_H

#include <stdio.h>
#include <stdlib.h>

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

typedef struct csr_shares {
    spmv_peer_matrix a;
    int64_t *begin;              /* each thread's first row, and the end of all */
    char *memory;                /* as much as asked for */
} csr_shares;

static inline void csr_shares_destroy(void *state)
{
    csr_shares *s = (csr_shares *)state;

    if (s) {
        free(s->begin);
        free(s->memory);
    }
    free(s);
}

/* The prepare of a peer. */
static inline spmv_peer_status csr_shares_create(const spmv_peer_matrix *a, size_t memory,
                                                 void **state, char *message, size_t bytes)
{
    csr_shares *s = (csr_shares *)calloc(1, sizeof *s);

    if (s) {
        s->a = *a;
        s->begin = (int64_t *)malloc(((size_t)a->threads + 1) * sizeof *s->begin);
        s->memory = (char *)malloc(memory + 1);
    }
    if (!s || !s->begin || !s->memory) {
        csr_shares_destroy(s);
        snprintf(message, bytes, "no memory");
        return SPMV_PEER_FAILED;
    }
    for (int32_t t = 0; t <= a->threads; t++)
        s->begin[t] = first_row_of(a, t);
    *state = s;
    return SPMV_PEER_OK;
}

#endif
