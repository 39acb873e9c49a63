/* csr.c: the usual loops over CSR. Rows are divided equally, as by OpenMP's static schedule, or by
 * nonzeros. A row is added in order, or (_simd) in vectors, by OpenMP's simd reduction. For the
 * product with the transpose, prepare sorts the matrix into CSC, the CSR of the transpose. */
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench/peers/csr_rows.h"

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

/* Row-major vectors: all of them for each entry of the matrix. */
#define ROWS_OF_COLUMNS(name, real, offset)                                                        \
    static void name(const spmv_peer_matrix *a, int64_t first, int64_t end, double alpha,          \
                     const void *x_, double beta, void *y_)                                        \
    {                                                                                              \
        const offset *restrict row_ptr = (const offset *)a->row_ptr;                               \
        const real *restrict val = (const real *)a->val;                                           \
        const int64_t columns = a->columns;                                                        \
                                                                                                   \
        for (int64_t r = first; r < end; r++) {                                                    \
            real *restrict y = (real *)y_ + r * a->ldy;                                            \
            for (int64_t c = 0; c < columns; c++)                                                  \
                y[c] = beta == 0 ? 0 : (real)beta * y[c];                                          \
            for (offset k = row_ptr[r]; k < row_ptr[r + 1]; k++) {                                 \
                const real *restrict x = (const real *)x_ + a->col_idx[k] * a->ldx;                \
                const real factor = (real)alpha * val[k];                                          \
                for (int64_t c = 0; c < columns; c++)                                              \
                    y[c] += factor * x[c];                                                         \
            }                                                                                      \
        }                                                                                          \
    }

ROWS_OF_COLUMNS(f32_i32_columns, float, int32_t)
ROWS_OF_COLUMNS(f32_i64_columns, float, int64_t)
ROWS_OF_COLUMNS(f64_i32_columns, double, int32_t)
ROWS_OF_COLUMNS(f64_i64_columns, double, int64_t)

static rows_function *const row_major[] = { f32_i32_columns, f32_i64_columns, f64_i32_columns,
                                            f64_i64_columns };

#ifdef _OPENMP
#define BY_LANES _Pragma("omp simd reduction(+ : sum)")
ROWS(f32_i32_simd, float, int32_t, BY_LANES)
ROWS(f32_i64_simd, float, int64_t, BY_LANES)
ROWS(f64_i32_simd, double, int32_t, BY_LANES)
ROWS(f64_i64_simd, double, int64_t, BY_LANES)

static rows_function *const simd[] = { f32_i32_simd, f32_i64_simd, f64_i32_simd, f64_i64_simd };
#endif

static spmv_peer_status run(const csr_shares *s, rows_function *const *rows, double alpha,
                            const void *x, double beta, void *y)
{
    const spmv_peer_matrix *a = &s->a;
    rows_function *own = rows[2 * (a->value_bits == 64) + (a->offset_bits == 64)];

#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(a->threads)
#endif
    for (int t = 0; t < a->threads; t++)
        own(a, s->begin[t], s->begin[t + 1], alpha, x, beta, y);
    return SPMV_PEER_OK;
}

/* Multiplies column-major vectors one after another. */
static spmv_peer_status run_each(const csr_shares *s, rows_function *const *rows, double alpha,
                                 const void *x, double beta, void *y)
{
    const int64_t bytes = s->a.value_bits / 8;

    for (int32_t c = 0; c < s->a.columns; c++)
        run(s, rows, alpha, (const char *)x + c * s->a.ldx * bytes, beta,
            (char *)y + c * s->a.ldy * bytes);
    return SPMV_PEER_OK;
}

static spmv_peer_status run_plain(void *state, double alpha, const void *x, double beta, void *y)
{
    const csr_shares *s = (const csr_shares *)state;

    return s->a.columns > 1 && !s->a.column_major ? run(s, row_major, alpha, x, beta, y)
                                                  : run_each(s, plain, alpha, x, beta, y);
}

#ifdef _OPENMP
static spmv_peer_status run_simd(void *state, double alpha, const void *x, double beta, void *y)
{
    return run_each((const csr_shares *)state, simd, alpha, x, beta, y);
}
#endif

/* ---- the transpose ------------------------------------------------------------------------- */

/* A counting sort by column. row_ptr is zeroed, and has cols + 1 offsets. */
#define TRANSPOSE(name, offset)                                                                    \
    static void name(const spmv_peer_matrix *a, void *row_ptr_, int32_t *col_idx, char *val)       \
    {                                                                                              \
        const offset *from = (const offset *)a->row_ptr;                                           \
        const size_t bytes = (size_t)a->value_bits / 8;                                            \
        offset *row_ptr = (offset *)row_ptr_;                                                      \
                                                                                                   \
        for (int64_t k = 0; k < a->nnz; k++)                                                       \
            row_ptr[a->col_idx[k] + 1]++;                                                          \
        for (int64_t c = 0; c < a->cols; c++)                                                      \
            row_ptr[c + 1] += row_ptr[c];                                                          \
        for (int64_t r = 0; r < a->rows; r++)                                                      \
            for (offset k = from[r]; k < from[r + 1]; k++) {                                       \
                const size_t to = (size_t)row_ptr[a->col_idx[k]]++;                                \
                col_idx[to] = (int32_t)r;                                                          \
                memcpy(val + to * bytes, (const char *)a->val + (size_t)k * bytes, bytes);         \
            }                                                                                      \
        for (int64_t c = a->cols; c > 0; c--)                                                      \
            row_ptr[c] = row_ptr[c - 1];                                                           \
        row_ptr[0] = 0;                                                                            \
    }

TRANSPOSE(transpose_i32, int32_t)
TRANSPOSE(transpose_i64, int64_t)

/* Of an array of the transpose, in whole cache lines. */
static size_t array_bytes(int64_t count, size_t bytes)
{
    return ((size_t)count * bytes + 63) / 64 * 64;
}

/* Of the transpose of a. */
static size_t transpose_bytes(const spmv_peer_matrix *a)
{
    return array_bytes(a->cols + 1, (size_t)a->offset_bits / 8) +
           array_bytes(a->nnz, sizeof(int32_t)) +
           array_bytes(a->nnz, (size_t)a->value_bits / 8);
}

/* Replaces s->a by its transpose, in s->memory. */
static void transpose(csr_shares *s)
{
    const spmv_peer_matrix a = s->a;
    const size_t offsets = array_bytes(a.cols + 1, (size_t)a.offset_bits / 8);
    int32_t *col_idx = (int32_t *)(void *)(s->memory + offsets);
    char *val = s->memory + offsets + array_bytes(a.nnz, sizeof *col_idx);

    memset(s->memory, 0, offsets);
    (a.offset_bits == 64 ? transpose_i64 : transpose_i32)(&a, s->memory, col_idx, val);
    s->a.rows = a.cols;
    s->a.cols = a.rows;
    s->a.row_ptr = s->memory;
    s->a.col_idx = col_idx;
    s->a.val = val;
}

/* ---- preparing ----------------------------------------------------------------------------- */

static spmv_peer_status prepare(const spmv_peer_matrix *a, int by_nonzeros, void **state,
                                char *message, size_t bytes)
{
    const spmv_peer_status status =
        csr_shares_create(a, a->transposed ? transpose_bytes(a) : 0, state, message, bytes);

    if (status != SPMV_PEER_OK)
        return status;
    csr_shares *s = (csr_shares *)*state;
    if (a->transposed)
        transpose(s);
    for (int32_t t = 0; t <= a->threads; t++)
        s->begin[t] = by_nonzeros ? first_row_of(&s->a, t) : s->a.rows * t / a->threads;
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

static size_t layout_bytes(const void *state)
{
    const csr_shares *s = (const csr_shares *)state;
    const spmv_peer_matrix *a = &s->a;

    return !a->transposed ? 0
        : (size_t)(a->rows + 1) * (size_t)a->offset_bits / 8 +
          (size_t)a->nnz * (sizeof(int32_t) + (size_t)a->value_bits / 8);
}

/* ---- the table ----------------------------------------------------------------------------- */

static const spmv_peer csr_rows = {
    SPMV_PEER_VERSION, "csr_omp", "a loop over CSR, equal shares of rows", prepare_rows, run_plain,
    csr_shares_destroy, layout_bytes, NULL,
    SPMV_PEER_TRANSPOSED | SPMV_PEER_COLUMNS,
};
static const spmv_peer csr_nonzeros = {
    SPMV_PEER_VERSION, "csr_nnz", "a loop over CSR, equal shares of nonzeros", prepare_nonzeros,
    run_plain, csr_shares_destroy, layout_bytes, NULL,
    SPMV_PEER_TRANSPOSED | SPMV_PEER_COLUMNS,
};
#ifdef _OPENMP
static spmv_peer_status prepare_simd(const spmv_peer_matrix *a, int by_nonzeros, void **state,
                                     char *message, size_t bytes)
{
    if (a->columns > 1 && !a->column_major) {
        snprintf(message, bytes, "its loop takes one vector at a time, as with --order column");
        return SPMV_PEER_NOT_APPLICABLE;
    }
    return prepare(a, by_nonzeros, state, message, bytes);
}

static spmv_peer_status prepare_rows_simd(const spmv_peer_matrix *a, void **state, char *message,
                                          size_t bytes)
{
    return prepare_simd(a, 0, state, message, bytes);
}

static spmv_peer_status prepare_nonzeros_simd(const spmv_peer_matrix *a, void **state,
                                              char *message, size_t bytes)
{
    return prepare_simd(a, 1, state, message, bytes);
}

static const spmv_peer csr_rows_simd = {
    SPMV_PEER_VERSION, "csr_omp_simd", "the same with vectors of a row's products",
    prepare_rows_simd, run_simd, csr_shares_destroy, layout_bytes, NULL,
    SPMV_PEER_TRANSPOSED | SPMV_PEER_COLUMNS,
};
static const spmv_peer csr_nonzeros_simd = {
    SPMV_PEER_VERSION, "csr_nnz_simd", "the same with vectors of a row's products",
    prepare_nonzeros_simd, run_simd, csr_shares_destroy, layout_bytes, NULL,
    SPMV_PEER_TRANSPOSED | SPMV_PEER_COLUMNS,
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
