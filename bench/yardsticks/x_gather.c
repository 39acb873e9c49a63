/* x_gather.c: see x_gather.h. */
#include "bench/yardsticks/x_gather.h"

#include "runtime/core/threads/team.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

#include "targets/isa/x86_cpu.h"

#define HAS_GATHERS 1
#endif

enum {
    SUMS = 8,                    /* independent, so that no addition waits for the one before */
    X_AHEAD = 128,               /* columns; the distance of targets/zen4.lua */
    COLUMNS_AHEAD = 512          /* 2 kB */
};

/* Each caller passes a constant `prefetches`, so the compiler removes the branches on it. */
#define inlined static inline __attribute__((always_inline))

/* The sum of x at the columns of entries [first, last); columns count from base. One load reads two
 * columns, since loads limit the speed. The order of the two does not change the sum. */
#define DEFINE_LOADS(type)                                                                         \
    inlined double loads_##type(const type *x, int64_t base, const int32_t *col, int64_t first,    \
                                int64_t last, int prefetches)                                      \
    {                                                                                              \
        type sum[SUMS] = { 0 };                                                                    \
        int64_t k = first;                                                                         \
                                                                                                   \
        for (; k + COLUMNS_AHEAD <= last; k += SUMS) {                                             \
            __builtin_prefetch(col + k + COLUMNS_AHEAD - 1);                                       \
            for (int i = 0; i < SUMS && prefetches; i++)                                           \
                __builtin_prefetch(x + (col[k + X_AHEAD + i] - base), 0, 2);                       \
            for (int i = 0; i < SUMS; i += 2) {                                                    \
                uint64_t pair;                                                                     \
                memcpy(&pair, col + k + i, sizeof pair);                                           \
                sum[i] += x[(int64_t)(uint32_t)pair - base];                                       \
                sum[i + 1] += x[(int64_t)(pair >> 32) - base];                                     \
            }                                                                                      \
        }                                                                                          \
        for (; k + SUMS <= last; k += SUMS)                                                        \
            for (int i = 0; i < SUMS; i++)                                                         \
                sum[i] += x[col[k + i] - base];                                                    \
        for (; k < last; k++)                                                                      \
            sum[0] += x[col[k] - base];                                                            \
        for (int i = 1; i < SUMS; i++)                                                             \
            sum[0] += sum[i];                                                                      \
        return (double)sum[0];                                                                     \
    }

DEFINE_LOADS(float)
DEFINE_LOADS(double)

#ifdef HAS_GATHERS

__attribute__((target("avx512f"))) static double gathers_double(const double *x, int64_t base,
                                                                const int32_t *col, int64_t first,
                                                                int64_t last)
{
    const __m256i from = _mm256_set1_epi32((int)base);
    __m512d even = _mm512_setzero_pd(), odd = even;
    int64_t k = first;

    for (; k + 16 <= last; k += 16) {
        const __m256i low = _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(col + k)), from);
        const __m256i high =
            _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(col + k + 8)), from);
        even = _mm512_add_pd(even, _mm512_i32gather_pd(low, x, 8));
        odd = _mm512_add_pd(odd, _mm512_i32gather_pd(high, x, 8));
    }
    return _mm512_reduce_add_pd(_mm512_add_pd(even, odd)) + loads_double(x, base, col, k, last, 0);
}

__attribute__((target("avx512f"))) static double gathers_float(const float *x, int64_t base,
                                                               const int32_t *col, int64_t first,
                                                               int64_t last)
{
    const __m512i from = _mm512_set1_epi32((int)base);
    __m512 even = _mm512_setzero_ps(), odd = even;
    int64_t k = first;

    for (; k + 32 <= last; k += 32) {
        even = _mm512_add_ps(
            even, _mm512_i32gather_ps(_mm512_sub_epi32(_mm512_loadu_si512(col + k), from), x, 4));
        odd = _mm512_add_ps(
            odd,
            _mm512_i32gather_ps(_mm512_sub_epi32(_mm512_loadu_si512(col + k + 16), from), x, 4));
    }
    return (double)_mm512_reduce_add_ps(_mm512_add_ps(even, odd)) +
           loads_float(x, base, col, k, last, 0);
}

int bench_x_gather_is_supported(bench_x_gather_variant variant)
{
    return variant != BENCH_X_GATHER_AVX512 || x86_has(X86_AVX512F);
}

#else

static double gathers_double(const double *x, int64_t base, const int32_t *col, int64_t first,
                             int64_t last)
{
    return loads_double(x, base, col, first, last, 0);
}

static double gathers_float(const float *x, int64_t base, const int32_t *col, int64_t first,
                            int64_t last)
{
    return loads_float(x, base, col, first, last, 0);
}

int bench_x_gather_is_supported(bench_x_gather_variant variant)
{
    return variant != BENCH_X_GATHER_AVX512;
}

#endif

/* Entries [first, last). */
static double gather(const bench_x_gather *g, int64_t first, int64_t last)
{
    const int32_t *col = g->csr->col_idx;
    const int64_t base = g->csr->base;
    const int is_f32 = g->csr->value_type == SPMV_F32;

    switch (g->variant) {
    case BENCH_X_GATHER_AVX512:
        return is_f32 ? gathers_float(g->x, base, col, first, last)
                      : gathers_double(g->x, base, col, first, last);
    case BENCH_X_GATHER_PREFETCHED:
        return is_f32 ? loads_float(g->x, base, col, first, last, 1)
                      : loads_double(g->x, base, col, first, last, 1);
    default:
        return is_f32 ? loads_float(g->x, base, col, first, last, 0)
                      : loads_double(g->x, base, col, first, last, 0);
    }
}

typedef struct gather_run {
    const bench_x_gather *gather;
    int threads;
    double sum[SPMV_MAX_THREADS];
} gather_run;

static void gather_part(void *context, int32_t part)
{
    gather_run *run = context;
    const double nnz = (double)run->gather->csr->nnz;

    run->sum[part] = gather(run->gather, (int64_t)(nnz * part / run->threads),
                            (int64_t)(nnz * (part + 1) / run->threads));
}

int bench_x_gather_run(void *context)
{
    bench_x_gather *g = context;
    const int threads = g->threads > 0 ? g->threads : 1;
    const spmv_threads team = { .count = threads };
    gather_run run;

    run.gather = g;
    run.threads = threads;
    spmv_team_run(&team, threads, gather_part, &run);
    g->sum = 0;                  /* stored, so that compilers keep the loops */
    for (int t = 0; t < threads; t++)
        g->sum += run.sum[t];
    return 0;
}
