/* collect.c: see collect.h. */
#include "collect.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_GATHERS 1
#endif

enum {
    SUMS = 8,                    /* that do not wait for each other */
    AHEAD = 128,                 /* columns; 64 to 512 were tried */
    COLUMN_LINES = 512           /* columns ahead that columns themselves are fetched: 2 kB */
};

/* Whoever calls them names the type and the way, and compilers leave out the rest. */
#define inlined static inline __attribute__((always_inline))

#define DEFINE_LOADS(type)                                                                                             \
    inlined double loads_##type(const type *x, const int32_t *col, int64_t first, int64_t last, int fetches)           \
    {                                                                                                                  \
        type sum[SUMS] = { 0 };                                                                                        \
        int64_t k = first;                                                                                             \
                                                                                                                       \
        for (; k + SUMS + AHEAD <= last; k += SUMS) {                                                                  \
            __builtin_prefetch(col + k + COLUMN_LINES);                                                                \
            for (int i = 0; i < SUMS && fetches; i++)                                                                  \
                __builtin_prefetch(x + col[k + AHEAD + i], 0, 2);                                                      \
            for (int i = 0; i < SUMS; i++)                                                                             \
                sum[i] += x[col[k + i]];                                                                               \
        }                                                                                                              \
        for (; k < last; k++)                                                                                          \
            sum[0] += x[col[k]];                                                                                       \
        for (int i = 1; i < SUMS; i++)                                                                                 \
            sum[0] += sum[i];                                                                                          \
        return (double)sum[0];                                                                                         \
    }

DEFINE_LOADS(float)
DEFINE_LOADS(double)

#ifdef HAS_GATHERS

__attribute__((target("avx512f"))) static double gathers_double(const double *x, const int32_t *col, int64_t first,
                                                                int64_t last)
{
    __m512d even = _mm512_setzero_pd(), odd = even;
    int64_t k = first;

    for (; k + 16 <= last; k += 16) {
        const __m256i low = _mm256_loadu_si256((const __m256i *)(col + k));
        const __m256i high = _mm256_loadu_si256((const __m256i *)(col + k + 8));
        even = _mm512_add_pd(even, _mm512_i32gather_pd(low, x, 8));
        odd = _mm512_add_pd(odd, _mm512_i32gather_pd(high, x, 8));
    }
    return _mm512_reduce_add_pd(_mm512_add_pd(even, odd)) + loads_double(x, col, k, last, 0);
}

__attribute__((target("avx512f"))) static double gathers_float(const float *x, const int32_t *col, int64_t first,
                                                               int64_t last)
{
    __m512 even = _mm512_setzero_ps(), odd = even;
    int64_t k = first;

    for (; k + 32 <= last; k += 32) {
        even = _mm512_add_ps(even, _mm512_i32gather_ps(_mm512_loadu_si512(col + k), x, 4));
        odd = _mm512_add_ps(odd, _mm512_i32gather_ps(_mm512_loadu_si512(col + k + 16), x, 4));
    }
    return (double)_mm512_reduce_add_ps(_mm512_add_ps(even, odd)) + loads_float(x, col, k, last, 0);
}

int bench_collect_has(bench_collect_way way)
{
    return way != BENCH_COLLECT_GATHERS || __builtin_cpu_supports("avx512f");
}

#else

static double gathers_double(const double *x, const int32_t *col, int64_t first, int64_t last)
{
    return loads_double(x, col, first, last, 0);
}

static double gathers_float(const float *x, const int32_t *col, int64_t first, int64_t last)
{
    return loads_float(x, col, first, last, 0);
}

int bench_collect_has(bench_collect_way way)
{
    return way != BENCH_COLLECT_GATHERS;
}

#endif

/* Entries [first, last). Columns count from csr->base, so x begins so many values before. */
static double collect(const bench_collection *c, int64_t first, int64_t last)
{
    const int32_t *col = c->csr->col_idx;

    if (c->csr->value_type == SPMV_F32) {
        const float *x = (const float *)c->x - c->csr->base;
        return c->way == BENCH_COLLECT_GATHERS ? gathers_float(x, col, first, last)
             : c->way == BENCH_COLLECT_FETCHES ? loads_float(x, col, first, last, 1)
                                               : loads_float(x, col, first, last, 0);
    }
    const double *x = (const double *)c->x - c->csr->base;
    return c->way == BENCH_COLLECT_GATHERS ? gathers_double(x, col, first, last)
         : c->way == BENCH_COLLECT_FETCHES ? loads_double(x, col, first, last, 1)
                                           : loads_double(x, col, first, last, 0);
}

int bench_collect_run(void *context)
{
    bench_collection *c = context;
    const int threads = c->threads > 0 ? c->threads : 1;
    const int64_t nnz = c->csr->nnz;
    double sum = 0;

#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(+ : sum)
#endif
    for (int t = 0; t < threads; t++)
        sum += collect(c, (int64_t)((double)nnz * t / threads), (int64_t)((double)nnz * (t + 1) / threads));
    c->sum = sum;                /* so that compilers cannot leave it out */
    return 0;
}
