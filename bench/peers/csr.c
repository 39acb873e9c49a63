/* csr.c: the usual loops over CSR. Rows are divided equally, as by OpenMP's static schedule, or by
 * nonzeros. A row is added in order, or (_simd) in vectors, by OpenMP's simd reduction. */
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench/peers/spmv_peer.h"

typedef struct csr_state {
    spmv_peer_matrix a;
    int64_t *begin;              /* each thread's first row; NULL: equal shares of rows */
} csr_state;

/* ---- loops --------------------------------------------------------------------------------- */

#define ROWS(name, real, offset, SIMD)                                                             \
    static void name(const spmv_peer_matrix *a, int64_t first, int64_t end, double alpha,          \
                     const void *x_, double beta, void *y_)                                        \
    {                                                                                              \
        const offset *restrict row_ptr = (const offset *)a->row_ptr;                               \
        const int32_t *restrict col_idx = a->col_idx;                                              \
        const real *restrict val = (const real *)a->val;                                           \
        const real *restrict x = (const real *)x_;                                                 \
        real *restrict y = (real *)y_;                                                             \
                                                                                                   \
        for (int64_t r = first; r < end; r++) {                                                    \
            real sum = 0;                                                                          \
            SIMD                                                                                   \
            for (offset k = row_ptr[r]; k < row_ptr[r + 1]; k++)                                   \
                sum += val[k] * x[col_idx[k]];                                                     \
            y[r] = beta == 0 ? (real)alpha * sum : (real)alpha * sum + (real)beta * y[r];          \
        }                                                                                          \
    }

#define PLAIN

ROWS(f32_i32, float, int32_t, PLAIN)
ROWS(f32_i64, float, int64_t, PLAIN)
ROWS(f64_i32, double, int32_t, PLAIN)
ROWS(f64_i64, double, int64_t, PLAIN)

typedef void rows_function(const spmv_peer_matrix *a, int64_t first, int64_t end, double alpha,
                           const void *x, double beta, void *y);

static rows_function *const plain[] = { f32_i32, f32_i64, f64_i32, f64_i64 };

#ifdef _OPENMP
#define BY_LANES _Pragma("omp simd reduction(+ : sum)")
ROWS(f32_i32_simd, float, int32_t, BY_LANES)
ROWS(f32_i64_simd, float, int64_t, BY_LANES)
ROWS(f64_i32_simd, double, int32_t, BY_LANES)
ROWS(f64_i64_simd, double, int64_t, BY_LANES)

static rows_function *const simd[] = { f32_i32_simd, f32_i64_simd, f64_i32_simd, f64_i64_simd };
#endif

static spmv_peer_status run(const csr_state *s, rows_function *const *rows, double alpha,
                            const void *x, double beta, void *y)
{
    const spmv_peer_matrix *a = &s->a;
    rows_function *own = rows[2 * (a->value_bits == 64) + (a->offset_bits == 64)];

#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(a->threads)
#endif
    for (int t = 0; t < a->threads; t++) {
        const int64_t first = s->begin ? s->begin[t] : a->rows * t / a->threads;
        const int64_t end = s->begin ? s->begin[t + 1] : a->rows * (t + 1) / a->threads;

        own(a, first, end, alpha, x, beta, y);
    }
    return SPMV_PEER_OK;
}

static spmv_peer_status run_plain(void *state, double alpha, const void *x, double beta, void *y)
{
    return run((const csr_state *)state, plain, alpha, x, beta, y);
}

#ifdef _OPENMP
static spmv_peer_status run_simd(void *state, double alpha, const void *x, double beta, void *y)
{
    return run((const csr_state *)state, simd, alpha, x, beta, y);
}
#endif

/* ---- shares -------------------------------------------------------------------------------- */

static int64_t row_begin(const spmv_peer_matrix *a, int64_t r)
{
    return a->offset_bits == 64 ? ((const int64_t *)a->row_ptr)[r]
                                : ((const int32_t *)a->row_ptr)[r];
}

/* The first row that begins at nonzero k or later. */
static int64_t row_from(const spmv_peer_matrix *a, int64_t k)
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

static spmv_peer_status prepare(const spmv_peer_matrix *a, int by_nonzeros, void **state,
                                char *message, size_t bytes)
{
    csr_state *s = (csr_state *)calloc(1, sizeof *s);

    if (s && by_nonzeros)
        s->begin = (int64_t *)calloc((size_t)a->threads + 1, sizeof *s->begin);
    if (!s || (by_nonzeros && !s->begin)) {
        free(s);
        snprintf(message, bytes, "no memory");
        return SPMV_PEER_FAILED;
    }
    s->a = *a;
    for (int t = 1; t < a->threads && s->begin; t++)
        s->begin[t] = row_from(a, a->nnz * t / a->threads);
    if (s->begin)
        s->begin[a->threads] = a->rows;
    *state = s;
    return SPMV_PEER_OK;
}

static spmv_peer_status prepare_rows(const spmv_peer_matrix *a, void **state, char *message,
                                     size_t bytes)
{
    return prepare(a, 0, state, message, bytes);
}

static spmv_peer_status prepare_nonzeros(const spmv_peer_matrix *a, void **state, char *message,
                                         size_t bytes)
{
    return prepare(a, 1, state, message, bytes);
}

static void destroy(void *state)
{
    free(((csr_state *)state)->begin);
    free(state);
}

/* ---- the table ----------------------------------------------------------------------------- */

static const spmv_peer csr_rows = {
    SPMV_PEER_VERSION, "csr_omp", "a loop over CSR, equal shares of rows", prepare_rows, run_plain,
    destroy, NULL, NULL,
};
static const spmv_peer csr_nonzeros = {
    SPMV_PEER_VERSION, "csr_nnz", "a loop over CSR, equal shares of nonzeros", prepare_nonzeros,
    run_plain, destroy, NULL, NULL,
};
#ifdef _OPENMP
static const spmv_peer csr_rows_simd = {
    SPMV_PEER_VERSION, "csr_omp_simd", "the same with vectors of a row's products", prepare_rows,
    run_simd, destroy, NULL, NULL,
};
static const spmv_peer csr_nonzeros_simd = {
    SPMV_PEER_VERSION, "csr_nnz_simd", "the same with vectors of a row's products",
    prepare_nonzeros, run_simd, destroy, NULL, NULL,
};
#endif

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = {
    &csr_rows, &csr_nonzeros,
#ifdef _OPENMP
    &csr_rows_simd, &csr_nonzeros_simd,
#endif
    NULL
};
