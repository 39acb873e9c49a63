/* csr_scatter.c: the usual loop for y = A^T*x on CSR in place. Each thread takes equally many
 * nonzeros, adds their products to sums of its own, at their columns, and then adds up a share of
 * the sums of all threads. It has no y = A*x. */
#include <stdio.h>
#include <string.h>

#include "bench/peers/csr_rows.h"

/* ---- loops --------------------------------------------------------------------------------- */

#define SCATTER(name, real, offset)                                                                \
    static void name(const csr_shares *s, int thread, const void *x_)                              \
    {                                                                                              \
        const offset *restrict row_ptr = (const offset *)s->a.row_ptr;                             \
        const int32_t *restrict col_idx = s->a.col_idx;                                            \
        const real *restrict val = (const real *)s->a.val, *restrict x = (const real *)x_;         \
        real *restrict sums = (real *)s->memory + s->a.cols * thread;                              \
                                                                                                   \
        memset(sums, 0, (size_t)s->a.cols * sizeof *sums);                                         \
        for (int64_t r = s->begin[thread]; r < s->begin[thread + 1]; r++)                          \
            for (offset k = row_ptr[r]; k < row_ptr[r + 1]; k++)                                   \
                sums[col_idx[k]] += val[k] * x[r];                                                 \
    }

SCATTER(scatter_f32_i32, float, int32_t)
SCATTER(scatter_f32_i64, float, int64_t)
SCATTER(scatter_f64_i32, double, int32_t)
SCATTER(scatter_f64_i64, double, int64_t)

#define ADD_UP(name, real)                                                                         \
    static void name(const csr_shares *s, int64_t first, int64_t end, double alpha,                \
                     double beta, void *y_)                                                        \
    {                                                                                              \
        real *restrict y = (real *)y_;                                                             \
                                                                                                   \
        for (int64_t c = first; c < end; c++) {                                                    \
            real sum = 0;                                                                          \
            for (int t = 0; t < s->a.threads; t++)                                                 \
                sum += ((const real *)s->memory)[s->a.cols * t + c];                               \
            y[c] = beta == 0 ? (real)alpha * sum : (real)alpha * sum + (real)beta * y[c];          \
        }                                                                                          \
    }

ADD_UP(add_up_f32, float)
ADD_UP(add_up_f64, double)

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    const csr_shares *s = (const csr_shares *)state;
    const int threads = s->a.threads, is_f64 = s->a.value_bits == 64;

#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(threads)
#endif
    for (int t = 0; t < threads; t++)
        (s->a.offset_bits == 64 ? is_f64 ? scatter_f64_i64 : scatter_f32_i64
                                : is_f64 ? scatter_f64_i32 : scatter_f32_i32)(s, t, x);
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(threads)
#endif
    for (int t = 0; t < threads; t++)
        (is_f64 ? add_up_f64 : add_up_f32)(s, s->a.cols * t / threads,
                                           s->a.cols * (t + 1) / threads, alpha, beta, y);
    return SPMV_PEER_OK;
}

/* ---- the peer ------------------------------------------------------------------------------ */

/* Of each thread a value for each column. */
static size_t sums_bytes(const spmv_peer_matrix *a)
{
    return (size_t)a->cols * (size_t)a->threads * (size_t)a->value_bits / 8;
}

static size_t layout_bytes(const void *state)
{
    return sums_bytes(&((const csr_shares *)state)->a);
}

static spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes)
{
    if (a->transposed)
        return csr_shares_create(a, sums_bytes(a), state, message, bytes);
    snprintf(message, bytes, "it multiplies by the transpose alone");
    return SPMV_PEER_NOT_APPLICABLE;
}

static const spmv_peer peer = {
    SPMV_PEER_VERSION, "csr_scatter", "a loop over CSR that adds to sums of each thread", prepare,
    run, csr_shares_destroy, layout_bytes, NULL, SPMV_PEER_TRANSPOSED,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &peer, NULL };
