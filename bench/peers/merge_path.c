/* merge_path.c: merge-based SpMV over CSR (Merrill and Garland, SC 2016).
 *
 * A multiplication takes rows + nnz steps: one for each nonzero, and one for the end of each row.
 * The steps are the merge of two sorted lists, the ends of the rows and the numbers of the
 * nonzeros, and are divided into equal shares, wherever a share ends. So neither one long row nor
 * many empty ones make threads wait:
 *
 *              nonzeros 0 1 2 3 4 5 6
 *     row 0 (2 entries) - - |               A path goes right for a nonzero, down for the end of a
 *     row 1 (0)             |               row. Thread t begins at the point of the path whose row
 *     row 2 (5)             - - - - - |     and nonzero add up to its first step.
 *
 * A thread adds the rows that end in its share. The sum of a row that a thread begins and does not
 * end is carried out, and is added to y when all threads are done. */
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench/peers/csr_rows.h"

typedef struct point {
    int64_t row, nonzero;
} point;

/* The memory of csr_shares: of each thread the sum of the row that it does not end, and where it
 * begins on the path, with the end of all. */
static double *carry_of(const csr_shares *s)
{
    return (double *)(void *)s->memory;
}

static point *begin_of(const csr_shares *s)
{
    return (point *)(void *)(carry_of(s) + s->a.threads);
}

/* The point of the path at this step: the least row whose end is not among the first `step`. */
static point find_point(const spmv_peer_matrix *a, int64_t step)
{
    int64_t low = step > a->nnz ? step - a->nnz : 0, high = step < a->rows ? step : a->rows;

    while (low < high) {
        const int64_t row = low + (high - low) / 2;
        if (row_begin(a, row + 1) <= step - row - 1)
            low = row + 1;
        else
            high = row;
    }
    return (point){ low, step - low };
}

/* ---- loops --------------------------------------------------------------------------------- */

/* Adds the rows of a share. Returns the sum of the row that the share does not end. */
#define SHARE(name, real, offset, SIMD)                                                            \
    static double name(const spmv_peer_matrix *a, point from, point to, double alpha,              \
                       const void *x_, double beta, void *y_)                                      \
    {                                                                                              \
        const offset *restrict row_ptr = (const offset *)a->row_ptr;                               \
        const int32_t *restrict col_idx = a->col_idx;                                              \
        const real *restrict val = (const real *)a->val;                                           \
        const real *restrict x = (const real *)x_;                                                 \
        real *restrict y = (real *)y_;                                                             \
        int64_t k = from.nonzero;                                                                  \
        real sum = 0;                                                                              \
                                                                                                   \
        for (int64_t r = from.row; r < to.row; r++) {                                              \
            const int64_t end = row_ptr[r + 1];                                                    \
            sum = 0;                                                                               \
            SIMD                                                                                   \
            for (int64_t i = k; i < end; i++)                                                      \
                sum += val[i] * x[col_idx[i]];                                                     \
            k = end;                                                                               \
            y[r] = beta == 0 ? (real)alpha * sum : (real)alpha * sum + (real)beta * y[r];          \
        }                                                                                          \
        sum = 0;                                                                                   \
        SIMD                                                                                       \
        for (int64_t i = k; i < to.nonzero; i++)                                                   \
            sum += val[i] * x[col_idx[i]];                                                         \
        return (double)((real)alpha * sum);                                                        \
    }

#define PLAIN

SHARE(f32_i32, float, int32_t, PLAIN)
SHARE(f32_i64, float, int64_t, PLAIN)
SHARE(f64_i32, double, int32_t, PLAIN)
SHARE(f64_i64, double, int64_t, PLAIN)

typedef double share_function(const spmv_peer_matrix *a, point from, point to, double alpha,
                              const void *x, double beta, void *y);

static share_function *const plain[] = { f32_i32, f32_i64, f64_i32, f64_i64 };

#ifdef _OPENMP
#define BY_LANES _Pragma("omp simd reduction(+ : sum)")
SHARE(f32_i32_simd, float, int32_t, BY_LANES)
SHARE(f32_i64_simd, float, int64_t, BY_LANES)
SHARE(f64_i32_simd, double, int32_t, BY_LANES)
SHARE(f64_i64_simd, double, int64_t, BY_LANES)

static share_function *const simd[] = { f32_i32_simd, f32_i64_simd, f64_i32_simd, f64_i64_simd };
#endif

static void run(const csr_shares *s, share_function *const *shares, double alpha, const void *x,
                double beta, void *y)
{
    const spmv_peer_matrix *a = &s->a;
    share_function *share = shares[2 * (a->value_bits == 64) + (a->offset_bits == 64)];
    const point *begin = begin_of(s);
    double *carry = carry_of(s);

#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(a->threads)
#endif
    for (int t = 0; t < a->threads; t++)
        carry[t] = share(a, begin[t], begin[t + 1], alpha, x, beta, y);
    for (int t = 0; t < a->threads; t++) {
        const int64_t row = begin[t + 1].row;
        if (row == a->rows)
            break;
        if (a->value_bits == 64)
            ((double *)y)[row] += carry[t];
        else
            ((float *)y)[row] += (float)carry[t];
    }
}

static spmv_peer_status run_plain(void *state, double alpha, const void *x, double beta, void *y)
{
    run((const csr_shares *)state, plain, alpha, x, beta, y);
    return SPMV_PEER_OK;
}

#ifdef _OPENMP
static spmv_peer_status run_simd(void *state, double alpha, const void *x, double beta, void *y)
{
    run((const csr_shares *)state, simd, alpha, x, beta, y);
    return SPMV_PEER_OK;
}
#endif

/* ---- shares -------------------------------------------------------------------------------- */

static spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes)
{
    const size_t threads = (size_t)a->threads;
    const size_t memory = threads * sizeof(double) + (threads + 1) * sizeof(point);
    const spmv_peer_status status = csr_shares_create(a, memory, state, message, bytes);

    for (int32_t t = 0; t <= a->threads && status == SPMV_PEER_OK; t++)
        begin_of((const csr_shares *)*state)[t] =
            find_point(a, (a->rows + a->nnz) * t / a->threads);
    return status;
}

/* ---- the table ----------------------------------------------------------------------------- */

static const spmv_peer merge_path = {
    .version = SPMV_PEER_VERSION, .name = "merge_path",
    .origin = "merge-based SpMV over CSR", .prepare = prepare, .run = run_plain,
    .destroy = csr_shares_destroy,
};
#ifdef _OPENMP
static const spmv_peer merge_path_simd = {
    .version = SPMV_PEER_VERSION, .name = "merge_path_simd",
    .origin = "the same with vectors of a row's products", .prepare = prepare, .run = run_simd,
    .destroy = csr_shares_destroy,
};
#endif

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = {
    &merge_path,
#ifdef _OPENMP
    &merge_path_simd,
#endif
    NULL
};
