/* csr_gather.c: a loop over CSR by AVX-512: eight f64 or sixteen f32 of a row at a time, whose x
 * one gather instruction collects. Masks take the rest of a row. Threads have about the same number
 * of nonzeros. */
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench/peers/csr_rows.h"
#include "bench/peers/x86_vectors.h"

#if HAS_X86_VECTORS
/* Entries from k on, at most all of a vector, as a mask. */
#define REST(lanes, k, end) ((1u << ((end) - (k) < (lanes) ? (end) - (k) : (lanes))) - 1)

TARGET_AVX512 static inline double sum_f64(const spmv_peer_matrix *a, int64_t k, int64_t end,
                                           const double *x)
{
    const double *val = (const double *)a->val;
    __m512d sum = _mm512_setzero_pd();

    for (; k + 8 <= end; k += 8)
        sum = _mm512_fmadd_pd(
            _mm512_loadu_pd(val + k),
            _mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)(a->col_idx + k)), x, 8), sum);
    if (k < end) {
        const __mmask8 rest = (__mmask8)REST(8, k, end);
        const __m512d from = _mm512_mask_i32gather_pd(
            _mm512_setzero_pd(), rest, _mm256_maskz_loadu_epi32(rest, a->col_idx + k), x, 8);
        sum = _mm512_fmadd_pd(_mm512_maskz_loadu_pd(rest, val + k), from, sum);
    }
    return _mm512_reduce_add_pd(sum);
}

TARGET_AVX512 static inline float sum_f32(const spmv_peer_matrix *a, int64_t k, int64_t end,
                                          const float *x)
{
    const float *val = (const float *)a->val;
    __m512 sum = _mm512_setzero_ps();

    for (; k + 16 <= end; k += 16)
        sum = _mm512_fmadd_ps(
            _mm512_loadu_ps(val + k),
            _mm512_i32gather_ps(_mm512_loadu_si512(a->col_idx + k), x, 4), sum);
    if (k < end) {
        const __mmask16 rest = (__mmask16)REST(16, k, end);
        const __m512 from = _mm512_mask_i32gather_ps(
            _mm512_setzero_ps(), rest, _mm512_maskz_loadu_epi32(rest, a->col_idx + k), x, 4);
        sum = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(rest, val + k), from, sum);
    }
    return _mm512_reduce_add_ps(sum);
}

#define ROWS(name, real, offset, SUM)                                                              \
    TARGET_AVX512 static void name(const spmv_peer_matrix *a, int64_t first, int64_t end,          \
                                   double alpha, const void *x, double beta, void *y_)             \
    {                                                                                              \
        const offset *restrict row_ptr = (const offset *)a->row_ptr;                               \
        real *restrict y = (real *)y_;                                                             \
                                                                                                   \
        for (int64_t r = first; r < end; r++) {                                                    \
            const real sum = SUM(a, row_ptr[r], row_ptr[r + 1], (const real *)x);                  \
            y[r] = beta == 0 ? (real)alpha * sum : (real)alpha * sum + (real)beta * y[r];          \
        }                                                                                          \
    }

ROWS(f32_i32, float, int32_t, sum_f32)
ROWS(f32_i64, float, int64_t, sum_f32)
ROWS(f64_i32, double, int32_t, sum_f64)
ROWS(f64_i64, double, int64_t, sum_f64)

typedef void rows_function(const spmv_peer_matrix *a, int64_t first, int64_t end, double alpha,
                           const void *x, double beta, void *y);

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    const csr_shares *s = (const csr_shares *)state;
    const int is_wide = s->a.offset_bits == 64;
    rows_function *rows = s->a.value_bits == 64 ? is_wide ? f64_i64 : f64_i32
                                                : is_wide ? f32_i64 : f32_i32;

#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(s->a.threads)
#endif
    for (int t = 0; t < s->a.threads; t++)
        rows(&s->a, s->begin[t], s->begin[t + 1], alpha, x, beta, y);
    return SPMV_PEER_OK;
}
#else
static int cpu_has_avx512(void)
{
    return 0;
}

/* Never called, since prepare declines. */
static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    (void)state, (void)alpha, (void)x, (void)beta, (void)y;
    return SPMV_PEER_NOT_APPLICABLE;
}
#endif

static spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes)
{
    if (cpu_has_avx512())
        return csr_shares_create(a, 0, state, message, bytes);
    snprintf(message, bytes, "it needs AVX-512");
    return SPMV_PEER_NOT_APPLICABLE;
}

static const spmv_peer peer = {
    .version = SPMV_PEER_VERSION, .name = "gather",
    .origin = "a loop over CSR by AVX-512's gathers", .prepare = prepare, .run = run,
    .destroy = csr_shares_destroy,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &peer, NULL };
