/* csr_serial.c: loops on one thread without preparation, as in SciPy: the shortest example of a
 * peer. By the transpose, each entry of a row is multiplied and added to y at its column. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/peers/spmv_peer.h"

#define LOOPS(name, real, offset)                                                                  \
    static void name(const spmv_peer_matrix *a, real alpha, const real *x, real beta, real *y)     \
    {                                                                                              \
        const offset *row_ptr = (const offset *)a->row_ptr;                                        \
        const real *val = (const real *)a->val;                                                    \
                                                                                                   \
        for (int64_t r = 0; r < a->rows; r++) {                                                    \
            real sum = 0;                                                                          \
            for (offset k = row_ptr[r]; k < row_ptr[r + 1]; k++)                                   \
                sum += val[k] * x[a->col_idx[k]];                                                  \
            y[r] = beta == 0 ? alpha * sum : alpha * sum + beta * y[r];                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void name##_transposed(const spmv_peer_matrix *a, real alpha, const real *x,            \
                                  real beta, real *y)                                              \
    {                                                                                              \
        const offset *row_ptr = (const offset *)a->row_ptr;                                        \
        const real *val = (const real *)a->val;                                                    \
                                                                                                   \
        for (int64_t c = 0; c < a->cols; c++)                                                      \
            y[c] = beta == 0 ? 0 : beta * y[c];                                                    \
        for (int64_t r = 0; r < a->rows; r++)                                                      \
            for (offset k = row_ptr[r]; k < row_ptr[r + 1]; k++)                                   \
                y[a->col_idx[k]] += val[k] * (alpha * x[r]);                                       \
    }                                                                                              \
                                                                                                   \
    /* Row-major vectors: all of them for each entry of the matrix. */                             \
    static void name##_columns(const spmv_peer_matrix *a, real alpha, const real *x, real beta,    \
                               real *y)                                                            \
    {                                                                                              \
        const offset *row_ptr = (const offset *)a->row_ptr;                                        \
        const real *val = (const real *)a->val;                                                    \
        const int64_t outputs = a->transposed ? a->cols : a->rows;                                 \
                                                                                                   \
        for (int64_t i = 0; i < outputs * a->ldy; i++)                                             \
            y[i] = beta == 0 ? 0 : beta * y[i];                                                    \
        for (int64_t r = 0; r < a->rows; r++)                                                      \
            for (offset k = row_ptr[r]; k < row_ptr[r + 1]; k++) {                                 \
                const int64_t to = a->transposed ? a->col_idx[k] : r;                              \
                const int64_t from = a->transposed ? r : a->col_idx[k];                            \
                const real factor = alpha * val[k];                                                \
                for (int32_t c = 0; c < a->columns; c++)                                           \
                    y[to * a->ldy + c] += factor * x[from * a->ldx + c];                           \
            }                                                                                      \
    }                                                                                              \
                                                                                                   \
    static void name##_run(const spmv_peer_matrix *a, double alpha, const void *x_, double beta,   \
                           void *y_)                                                               \
    {                                                                                              \
        const real *x = (const real *)x_;                                                          \
        real *y = (real *)y_;                                                                      \
                                                                                                   \
        if (a->columns > 1 && !a->column_major) {                                                  \
            name##_columns(a, (real)alpha, x, (real)beta, y);                                      \
            return;                                                                                \
        }                                                                                          \
        for (int32_t c = 0; c < a->columns; c++)                                                   \
            (a->transposed ? name##_transposed : name)(a, (real)alpha, x + c * a->ldx,             \
                                                       (real)beta, y + c * a->ldy);                \
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

    (a->value_bits == 64 ? is_wide ? f64_i64_run : f64_i32_run
                         : is_wide ? f32_i64_run : f32_i32_run)(a, alpha, x, beta, y);
    return SPMV_PEER_OK;
}

static const spmv_peer peer = {
    SPMV_PEER_VERSION, "csr_serial", "a loop over CSR on one thread, as in SciPy", prepare, run,
    free, NULL, NULL, SPMV_PEER_TRANSPOSED | SPMV_PEER_COLUMNS,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &peer, NULL };
