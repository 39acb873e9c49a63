/* x86_columns.c: values at 4 columns, for all instruction sets of x86. */
#include "helpers.h"
#include <immintrin.h>

#ifdef REAL_IS_F32

/* x at 4 columns, which are read two by two: cores have few load units, and x needs one load per
 * lane. */
static inline __m128 v_collect_4(const float *x, const int32_t *col)
{
    uint64_t a, b;
    memcpy(&a, col, sizeof a);
    memcpy(&b, col + 2, sizeof b);
    return _mm_set_ps(x[b >> 32], x[(uint32_t)b], x[a >> 32], x[(uint32_t)a]);
}

/* x at 4 columns of 16 bits, which are read at once. */
static inline __m128 v_collect16_4(const float *x, const uint16_t *col)
{
    uint64_t a;
    memcpy(&a, col, sizeof a);
    return _mm_set_ps(x[a >> 48], x[(uint16_t)(a >> 32)], x[(uint32_t)a >> 16], x[(uint16_t)a]);
}

/* x at 4 columns of 8 bits, which are read at once. */
static inline __m128 v_collect8_4(const float *x, const uint8_t *col)
{
    uint32_t a;
    memcpy(&a, col, sizeof a);
    return _mm_set_ps(x[a >> 24], x[(uint8_t)(a >> 16)], x[(uint8_t)(a >> 8)], x[(uint8_t)a]);
}

#endif

#ifdef REAL_IS_F64

/* x at 4 columns, which are read two by two: cores have few load units, and x needs one load per
 * lane. */
static inline __m256d v_collect_4(const double *x, const int32_t *col)
{
    uint64_t a, b;
    memcpy(&a, col, sizeof a);
    memcpy(&b, col + 2, sizeof b);
    return _mm256_set_pd(x[b >> 32], x[(uint32_t)b], x[a >> 32], x[(uint32_t)a]);
}

/* x at 4 columns of 16 bits, which are read at once. */
static inline __m256d v_collect16_4(const double *x, const uint16_t *col)
{
    uint64_t a;
    memcpy(&a, col, sizeof a);
    return _mm256_set_pd(x[a >> 48], x[(uint16_t)(a >> 32)], x[(uint32_t)a >> 16], x[(uint16_t)a]);
}

/* x at 4 columns of 8 bits, which are read at once. */
static inline __m256d v_collect8_4(const double *x, const uint8_t *col)
{
    uint32_t a;
    memcpy(&a, col, sizeof a);
    return _mm256_set_pd(x[a >> 24], x[(uint8_t)(a >> 16)], x[(uint8_t)(a >> 8)], x[(uint8_t)a]);
}

#endif
