/* csr_serial.c: loops on one thread without preparation, as in SciPy: the shortest example of a
 * peer. By the transpose, each entry of a row is multiplied and added to y at its column. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/spmv_peer.h"

#define LOOPS(name, real, offset)                                                                  \
    static void name(const spmv_peer_matrix *a, real alpha, const void *x_, real beta, void *y_)   \
    {                                                                                              \
        const offset *row_ptr = (const offset *)a->row_ptr;                                        \
        const real *val = (const real *)a->val, *x = (const real *)x_;                             \
        real *y = (real *)y_;                                                                      \
                                                                                                   \
        for (int64_t r = 0; r < a->rows; r++) {                                                    \
            real sum = 0;                                                                          \
            for (offset k = row_ptr[r]; k < row_ptr[r + 1]; k++)                                   \
                sum += val[k] * x[a->col_idx[k]];                                                  \
            y[r] = beta == 0 ? alpha * sum : alpha * sum + beta * y[r];                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void name##_transposed(const spmv_peer_matrix *a, real alpha, const void *x_,           \
                                  real beta, void *y_)                                             \
    {                                                                                              \
        const offset *row_ptr = (const offset *)a->row_ptr;                                        \
        const real *val = (const real *)a->val, *x = (const real *)x_;                             \
        real *y = (real *)y_;                                                                      \
                                                                                                   \
        for (int64_t c = 0; c < a->cols; c++)                                                      \
            y[c] = beta == 0 ? 0 : beta * y[c];                                                    \
        for (int64_t r = 0; r < a->rows; r++)                                                      \
            for (offset k = row_ptr[r]; k < row_ptr[r + 1]; k++)                                   \
                y[a->col_idx[k]] += val[k] * (alpha * x[r]);                                       \
    }

LOOPS(f32_i32, float, int32_t)
LOOPS(f32_i64, float, int64_t)
LOOPS(f64_i32, double, int32_t)
LOOPS(f64_i64, double, int64_t)

static spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes)
{
    spmv_peer_matrix *s = (spmv_peer_matrix *)malloc(sizeof *s);

    if (!s) {
        snprintf(message, bytes, "no memory");
        return SPMV_PEER_FAILED;
    }
    *s = *a;
    *state = s;
    return SPMV_PEER_OK;
}

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    const spmv_peer_matrix *a = (const spmv_peer_matrix *)state;
    const int is_wide = a->offset_bits == 64;

    if (a->value_bits == 64)
        (a->transposed ? is_wide ? f64_i64_transposed : f64_i32_transposed
                       : is_wide ? f64_i64 : f64_i32)(a, alpha, x, beta, y);
    else
        (a->transposed ? is_wide ? f32_i64_transposed : f32_i32_transposed
                       : is_wide ? f32_i64 : f32_i32)(a, (float)alpha, x, (float)beta, y);
    return SPMV_PEER_OK;
}

static const spmv_peer peer = {
    SPMV_PEER_VERSION, "csr_serial", "a loop over CSR on one thread, as in SciPy", prepare, run,
    free, NULL, NULL, SPMV_PEER_TRANSPOSED,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &peer, NULL };
