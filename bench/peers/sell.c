/* sell.c: SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske and Bishop, SIAM J. Sci. Comput. 36,
 * 2014), with C = 8 and sigma = 256 or 4096, by intrinsics of AVX-512 or AVX2 where the CPU has
 * them.
 *
 * Rows are sorted by length, the longest first, in windows of sigma rows. Eight rows are a slice,
 * in which each row is filled up to the length of the longest. Entry j of the eight rows is one
 * vector:
 *
 *     val   r0[0] r1[0] ... r7[0]   r0[1] r1[1] ... r7[1]   ...
 *
 * A filling has the value 0 and the last column of its row, in an empty row column 0. Results go to
 * their rows one by one: y keeps its order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench/peers/csr_rows.h"
#include "bench/peers/x86_vectors.h"

enum { C = 8 };

/* Beyond so many places for a nonzero, the layout is refused. */
enum { MOST_FILLING = 10 };

typedef struct sell sell;
typedef void slices_function(const sell *s, int64_t first, int64_t end, double alpha, const void *x,
                             double beta, void *y);

struct sell {
    spmv_peer_matrix a;
    int64_t slices;
    int64_t *begin;              /* of each slice in col and val, and the end of all */
    int64_t *share;              /* each thread's first slice, and the end of all */
    int32_t *order;              /* the row of each place; -1: none */
    int32_t *col;
    void *val;
    slices_function *multiply;
};

/* ---- loops --------------------------------------------------------------------------------- */

/* `SUM` sets sum[C] to the sums of a slice that has `width` vectors from val and col on. */
#define SLICES(name, real, TARGET, SUM)                                                            \
    TARGET static void name(const sell *s, int64_t first, int64_t end, double alpha,               \
                            const void *x, double beta, void *y_)                                  \
    {                                                                                              \
        real *restrict y = (real *)y_;                                                             \
                                                                                                   \
        for (int64_t slice = first; slice < end; slice++) {                                        \
            const int64_t begin = s->begin[slice];                                                 \
            const int64_t width = (s->begin[slice + 1] - begin) / C;                               \
            const int32_t *row = s->order + slice * C;                                             \
            real sum[C];                                                                           \
            SUM(width, s->col + begin, (const real *)s->val + begin, (const real *)x, sum);        \
            for (int lane = 0; lane < C && row[lane] >= 0; lane++)                                 \
                y[row[lane]] = beta == 0 ? (real)alpha * sum[lane]                                 \
                                         : (real)alpha * sum[lane] + (real)beta * y[row[lane]];    \
        }                                                                                          \
    }

#define SUM_PLAIN(name, real)                                                                      \
    static inline void name(int64_t width, const int32_t *restrict col, const real *restrict val,  \
                            const real *restrict x, real *restrict sum)                            \
    {                                                                                              \
        for (int lane = 0; lane < C; lane++)                                                       \
            sum[lane] = 0;                                                                         \
        for (int64_t j = 0; j < width; j++)                                                        \
            for (int lane = 0; lane < C; lane++)                                                   \
                sum[lane] += val[j * C + lane] * x[col[j * C + lane]];                             \
    }

#define ANY_TARGET
SUM_PLAIN(sum_f32, float)
SUM_PLAIN(sum_f64, double)
SLICES(f32, float, ANY_TARGET, sum_f32)
SLICES(f64, double, ANY_TARGET, sum_f64)

#if HAS_X86_VECTORS
TARGET_AVX2 static inline void sum_f32_avx2(int64_t width, const int32_t *col, const float *val,
                                            const float *x, float *sum)
{
    __m256 all = _mm256_setzero_ps();

    for (int64_t j = 0; j < width; j++) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(col + j * C));
        all = _mm256_fmadd_ps(_mm256_loadu_ps(val + j * C), _mm256_i32gather_ps(x, at, 4), all);
    }
    _mm256_storeu_ps(sum, all);
}

TARGET_AVX2 static inline void sum_f64_avx2(int64_t width, const int32_t *col, const double *val,
                                            const double *x, double *sum)
{
    __m256d low = _mm256_setzero_pd(), high = low;

    for (int64_t j = 0; j < width; j++) {
        const __m128i *at = (const __m128i *)(col + j * C);
        low = _mm256_fmadd_pd(_mm256_loadu_pd(val + j * C),
                              _mm256_i32gather_pd(x, _mm_loadu_si128(at), 8), low);
        high = _mm256_fmadd_pd(_mm256_loadu_pd(val + j * C + 4),
                               _mm256_i32gather_pd(x, _mm_loadu_si128(at + 1), 8), high);
    }
    _mm256_storeu_pd(sum, low);
    _mm256_storeu_pd(sum + 4, high);
}

TARGET_AVX512 static inline void sum_f64_avx512(int64_t width, const int32_t *col,
                                                const double *val, const double *x, double *sum)
{
    __m512d all = _mm512_setzero_pd();

    for (int64_t j = 0; j < width; j++) {
        const __m256i at = _mm256_loadu_si256((const __m256i *)(col + j * C));
        all = _mm512_fmadd_pd(_mm512_loadu_pd(val + j * C), _mm512_i32gather_pd(at, x, 8), all);
    }
    _mm512_storeu_pd(sum, all);
}

SLICES(f32_avx2, float, TARGET_AVX2, sum_f32_avx2)
SLICES(f64_avx2, double, TARGET_AVX2, sum_f64_avx2)
SLICES(f64_avx512, double, TARGET_AVX512, sum_f64_avx512)
#endif

/* Eight f32 are a vector of AVX2, also with AVX-512. */
static slices_function *find_loop(int is_f64)
{
#if HAS_X86_VECTORS
    if (cpu_has_avx512() && is_f64)
        return f64_avx512;
    if (cpu_has_avx2())
        return is_f64 ? f64_avx2 : f32_avx2;
#endif
    return is_f64 ? f64 : f32;
}

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    const sell *s = (const sell *)state;

#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(s->a.threads)
#endif
    for (int t = 0; t < s->a.threads; t++)
        s->multiply(s, s->share[t], s->share[t + 1], alpha, x, beta, y);
    return SPMV_PEER_OK;
}

/* ---- the layout ---------------------------------------------------------------------------- */

static int64_t length_of(const spmv_peer_matrix *a, int64_t r)
{
    return r < 0 ? 0 : row_begin(a, r + 1) - row_begin(a, r);
}

typedef struct sorted_row {
    int64_t length;
    int32_t row;
} sorted_row;

/* Longest first; equal ones as they stand in the matrix. */
static int by_length(const void *a_, const void *b_)
{
    const sorted_row *a = (const sorted_row *)a_, *b = (const sorted_row *)b_;

    return a->length != b->length ? (a->length < b->length) - (a->length > b->length)
                                  : (a->row > b->row) - (a->row < b->row);
}

/* Sets order and begin. Returns 0 without memory. */
static int sort_rows(sell *s, int64_t sigma)
{
    sorted_row *window = (sorted_row *)malloc((size_t)sigma * sizeof *window);

    for (int64_t first = 0; first < s->a.rows && window; first += sigma) {
        const int64_t count = s->a.rows - first < sigma ? s->a.rows - first : sigma;
        for (int64_t i = 0; i < count; i++)
            window[i] = (sorted_row){ length_of(&s->a, first + i), (int32_t)(first + i) };
        qsort(window, (size_t)count, sizeof *window, by_length);
        for (int64_t i = 0; i < count; i++)
            s->order[first + i] = window[i].row;
    }
    for (int64_t i = s->a.rows; i < s->slices * C; i++)
        s->order[i] = -1;
    for (int64_t i = 0; i < s->slices; i++)
        s->begin[i + 1] = s->begin[i] + C * length_of(&s->a, s->order[i * C]);
    free(window);
    return window != NULL;
}

/* Each thread gets slices of about as many places. */
static void share_slices(sell *s)
{
    int64_t slice = 0;

    for (int32_t t = 1; t <= s->a.threads; t++) {
        const int64_t target = s->begin[s->slices] * t / s->a.threads;
        while (slice < s->slices && (t == s->a.threads || s->begin[slice] < target))
            slice++;
        s->share[t] = slice;
    }
}

static void fill_row(sell *s, int64_t slice, int lane)
{
    const int64_t row = s->order[slice * C + lane], length = length_of(&s->a, row);
    const int64_t width = (s->begin[slice + 1] - s->begin[slice]) / C;
    const int64_t from = row < 0 ? 0 : row_begin(&s->a, row);
    const size_t bytes = (size_t)s->a.value_bits / 8;

    for (int64_t j = 0; j < width; j++) {
        const int64_t to = s->begin[slice] + j * C + lane;
        const int64_t k = from + (j < length ? j : length - 1);
        s->col[to] = length > 0 ? s->a.col_idx[k] : 0;
        if (j < length)
            memcpy((char *)s->val + (size_t)to * bytes,
                   (const char *)s->a.val + (size_t)k * bytes, bytes);
        else
            memset((char *)s->val + (size_t)to * bytes, 0, bytes);
    }
}

static void destroy(void *state)
{
    sell *s = (sell *)state;

    if (!s)
        return;
    free(s->begin);
    free(s->share);
    free(s->order);
    free(s->col);
    free(s->val);
    free(s);
}

/* Allocates what depends on the rows alone, and sorts them. Returns NULL without memory. */
static sell *create(const spmv_peer_matrix *a, int64_t sigma)
{
    sell *s = (sell *)calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->a = *a;
    s->slices = (a->rows + C - 1) / C;
    s->begin = (int64_t *)calloc((size_t)s->slices + 1, sizeof *s->begin);
    s->share = (int64_t *)calloc((size_t)a->threads + 1, sizeof *s->share);
    s->order = (int32_t *)malloc((size_t)(s->slices * C + 1) * sizeof *s->order);
    s->multiply = find_loop(a->value_bits == 64);
    if (!s->begin || !s->share || !s->order || !sort_rows(s, sigma)) {
        destroy(s);
        return NULL;
    }
    share_slices(s);
    return s;
}

static spmv_peer_status prepare(const spmv_peer_matrix *a, int64_t sigma, void **state,
                                char *message, size_t bytes)
{
    sell *s = create(a, sigma);
    const int64_t places = s ? s->begin[s->slices] : 0;

    if (places > MOST_FILLING * (a->nnz + C)) {
        destroy(s);
        snprintf(message, bytes, "its slices would take %.0f places for a nonzero",
                 (double)places / (double)a->nnz);
        return SPMV_PEER_NOT_APPLICABLE;
    }
    if (s) {
        s->col = (int32_t *)malloc((size_t)(places + 1) * sizeof *s->col);
        s->val = malloc((size_t)(places + 1) * (size_t)a->value_bits / 8);
    }
    if (!s || !s->col || !s->val) {
        destroy(s);
        snprintf(message, bytes, "no memory");
        return SPMV_PEER_FAILED;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(a->threads)
#endif
    for (int t = 0; t < a->threads; t++)
        for (int64_t i = s->share[t] * C; i < s->share[t + 1] * C; i++)
            fill_row(s, i / C, (int)(i % C));
    *state = s;
    return SPMV_PEER_OK;
}

static size_t layout_bytes(const void *state)
{
    const sell *s = (const sell *)state;
    const size_t place = sizeof *s->col + (size_t)s->a.value_bits / 8;

    return (size_t)s->begin[s->slices] * place + (size_t)(s->slices + 1) * sizeof *s->begin +
           (size_t)(s->slices * C) * sizeof *s->order;
}

/* ---- the table ----------------------------------------------------------------------------- */

static spmv_peer_status prepare_256(const spmv_peer_matrix *a, void **state, char *message,
                                    size_t bytes)
{
    return prepare(a, 256, state, message, bytes);
}

static spmv_peer_status prepare_4096(const spmv_peer_matrix *a, void **state, char *message,
                                     size_t bytes)
{
    return prepare(a, 4096, state, message, bytes);
}

static const spmv_peer sell_256 = {
    .version = SPMV_PEER_VERSION, .name = "sell_256",
    .origin = "SELL-C-sigma by intrinsics, C 8, sigma 256", .prepare = prepare_256, .run = run,
    .destroy = destroy, .layout_bytes = layout_bytes,
};
static const spmv_peer sell_4096 = {
    .version = SPMV_PEER_VERSION, .name = "sell_4096",
    .origin = "SELL-C-sigma by intrinsics, C 8, sigma 4096", .prepare = prepare_4096, .run = run,
    .destroy = destroy, .layout_bytes = layout_bytes,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &sell_256, &sell_4096, NULL };
