/* avx2.c: words of avx2.lua that are functions, on 256-bit vectors of AVX2. */
#include "helpers.h"
#include "x86_columns.c"
#include <immintrin.h>

#ifdef REAL_IS_F32

/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline float v_sum(__m256 a)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

/* The sum of a's halves, then the sum of b's halves. */
static inline __m256 v_fold_halves(__m256 a, __m256 b)
{
    return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

/* v_sum of 8 vectors: lane i has the sum of v[i]. Each step adds the upper half of a vector's part
 * to the lower half, as v_sum does, and puts the halves of two vectors side by side. */
static inline __m256 v_sums(const __m256 *v)
{
    __m256 pair[2];
    for (int i = 0; i < 2; i++) {
        const __m256d a = _mm256_castps_pd(v_fold_halves(v[2 * i], v[2 * i + 4]));
        const __m256d b = _mm256_castps_pd(v_fold_halves(v[2 * i + 1], v[2 * i + 5]));
        pair[i] = _mm256_add_ps(_mm256_castpd_ps(_mm256_unpacklo_pd(a, b)),
                                _mm256_castpd_ps(_mm256_unpackhi_pd(a, b)));
    }
    return _mm256_add_ps(_mm256_shuffle_ps(pair[0], pair[1], _MM_SHUFFLE(2, 0, 2, 0)),
                         _mm256_shuffle_ps(pair[0], pair[1], _MM_SHUFFLE(3, 1, 3, 1)));
}

/* Vector k of 8 is stored as column k; row i is at p + i * stride. */
static inline void v_transpose(const __m256 *a, float *p, int32_t stride)
{
    const __m256 a0 = _mm256_unpacklo_ps(a[0], a[1]), a1 = _mm256_unpackhi_ps(a[0], a[1]);
    const __m256 a2 = _mm256_unpacklo_ps(a[2], a[3]), a3 = _mm256_unpackhi_ps(a[2], a[3]);
    const __m256 a4 = _mm256_unpacklo_ps(a[4], a[5]), a5 = _mm256_unpackhi_ps(a[4], a[5]);
    const __m256 a6 = _mm256_unpacklo_ps(a[6], a[7]), a7 = _mm256_unpackhi_ps(a[6], a[7]);
    const __m256 b0 = _mm256_shuffle_ps(a0, a2, 0x44), b1 = _mm256_shuffle_ps(a0, a2, 0xee);
    const __m256 b2 = _mm256_shuffle_ps(a1, a3, 0x44), b3 = _mm256_shuffle_ps(a1, a3, 0xee);
    const __m256 b4 = _mm256_shuffle_ps(a4, a6, 0x44), b5 = _mm256_shuffle_ps(a4, a6, 0xee);
    const __m256 b6 = _mm256_shuffle_ps(a5, a7, 0x44), b7 = _mm256_shuffle_ps(a5, a7, 0xee);
    _mm256_storeu_ps(p, _mm256_permute2f128_ps(b0, b4, 0x20));
    _mm256_storeu_ps(p + stride, _mm256_permute2f128_ps(b1, b5, 0x20));
    _mm256_storeu_ps(p + 2 * stride, _mm256_permute2f128_ps(b2, b6, 0x20));
    _mm256_storeu_ps(p + 3 * stride, _mm256_permute2f128_ps(b3, b7, 0x20));
    _mm256_storeu_ps(p + 4 * stride, _mm256_permute2f128_ps(b0, b4, 0x31));
    _mm256_storeu_ps(p + 5 * stride, _mm256_permute2f128_ps(b1, b5, 0x31));
    _mm256_storeu_ps(p + 6 * stride, _mm256_permute2f128_ps(b2, b6, 0x31));
    _mm256_storeu_ps(p + 7 * stride, _mm256_permute2f128_ps(b3, b7, 0x31));
}

/* x at 8 columns, by the gather instruction. */
static inline __m256 v_gather(const float *x, const int32_t *col)
{
    return _mm256_i32gather_ps(x, _mm256_loadu_si256((const __m256i *)col), 4);
}

/* x at 8 columns, by one load per lane: faster than the gather instruction on many CPUs. */
static inline __m256 v_collect(const float *x, const int32_t *col)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(v_collect_4(x, col)),
                                v_collect_4(x, col + 4), 1);
}

/* x at 8 columns of 16 bits, by the gather instruction. */
static inline __m256 v_gather16(const float *x, const uint16_t *col)
{
    return _mm256_i32gather_ps(x, _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)col)), 4);
}

/* x at 8 columns of 16 bits, by one load per lane. */
static inline __m256 v_collect16(const float *x, const uint16_t *col)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(v_collect16_4(x, col)),
                                v_collect16_4(x, col + 4), 1);
}

/* Value code[i] of a table in one register. A load broadcasts the codes, since shuffles are what
 * cores have few units for. */
static inline __m256 v_pick(__m256 table, const uint8_t *code)
{
    const __m256i place = _mm256_setr_epi8(0, -1, -1, -1, 1, -1, -1, -1, 2, -1, -1, -1, 3, -1, -1,
                                           -1, 4, -1, -1, -1, 5, -1, -1, -1, 6, -1, -1, -1, 7, -1,
                                           -1, -1);
    int64_t eight;
    memcpy(&eight, code, sizeof eight);
    return _mm256_permutevar8x32_ps(table,
                                    _mm256_shuffle_epi8(_mm256_set1_epi64x(eight), place));
}

/* x at 8 columns of 8 bits, by the gather instruction. */
static inline __m256 v_gather8(const float *x, const uint8_t *col)
{
    return _mm256_i32gather_ps(x, _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)col)), 4);
}

/* x at 8 columns of 8 bits, by one load per lane. */
static inline __m256 v_collect8(const float *x, const uint8_t *col)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(v_collect8_4(x, col)),
                                v_collect8_4(x, col + 4), 1);
}

/* Runs of 4 values, from two places. */
static inline __m256 v_load_runs(const float *x, const uint16_t *place)
{
    const __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(x + place[0]));
    return _mm256_insertf128_ps(low, _mm_loadu_ps(x + place[1]), 1);
}

/* Runs of 4 values, to two places; the first one last. */
static inline void v_store_runs(float *p, const uint16_t *place, __m256 a)
{
    _mm_storeu_ps(p + place[1], _mm256_extractf128_ps(a, 1));
    _mm_storeu_ps(p + place[0], _mm256_castps256_ps128(a));
}

/* p[index[i]] = lane i, by one store per lane. */
static inline void v_distribute(float *p, const int32_t *index, __m256 a)
{
    const __m128 low = _mm256_castps256_ps128(a);
    const __m128 high = _mm256_extractf128_ps(a, 1);
    _mm_store_ss(p + index[0], low);
    _mm_store_ss(p + index[1], _mm_movehdup_ps(low));
    _mm_store_ss(p + index[2], _mm_unpackhi_ps(low, low));
    _mm_store_ss(p + index[3], _mm_shuffle_ps(low, low, 3));
    _mm_store_ss(p + index[4], high);
    _mm_store_ss(p + index[5], _mm_movehdup_ps(high));
    _mm_store_ss(p + index[6], _mm_unpackhi_ps(high, high));
    _mm_store_ss(p + index[7], _mm_shuffle_ps(high, high, 3));
}

/* The lanes below n. */
static inline __m256i m_first(int32_t n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* n < 8 values, zeros above; the memory above is not accessed. */
static inline __m256 v_load_first(const float *p, int32_t n)
{
    return _mm256_maskload_ps(p, m_first(n));
}

/* Writes the lanes below n < 8. */
static inline void v_store_first(float *p, int32_t n, __m256 a)
{
    _mm256_maskstore_ps(p, m_first(n), a);
}

/* a in the lanes below n, zeros above. */
static inline __m256 v_first(__m256 a, int32_t n)
{
    return _mm256_and_ps(a, _mm256_castsi256_ps(m_first(n)));
}

/* x at n < 8 columns, zeros above; the columns above are not read. */
static inline __m256 v_collect_first(const float *x, const int32_t *col, int32_t n)
{
    float lane[8] = {0};
    for (int32_t i = 0; i < n; i++)
        lane[i] = x[col[i]];
    return _mm256_loadu_ps(lane);
}

/* a where the mask is set, b elsewhere. */
static inline __m256i i_select(__m256 m, __m256i a, __m256i b)
{
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(b), _mm256_castsi256_ps(a), m));
}

/* a + 1 where the mask is set: its sign, shifted down over the whole lane, is -1. */
static inline __m256i i_increment(__m256 m, __m256i a)
{
    return _mm256_sub_epi32(a, _mm256_srai_epi32(_mm256_castps_si256(m), 31));
}

/* p[index] = value, by one store per lane: there is no scatter instruction. */
static inline void v_scatter(float *p, __m256i index, __m256 a)
{
    int32_t at[8];
    float value[8];
    _mm256_storeu_si256((__m256i *)at, index);
    _mm256_storeu_ps(value, a);
    p[at[0]] = value[0];
    p[at[1]] = value[1];
    p[at[2]] = value[2];
    p[at[3]] = value[3];
    p[at[4]] = value[4];
    p[at[5]] = value[5];
    p[at[6]] = value[6];
    p[at[7]] = value[7];
}

/* The lanes whose word has the bit set: the bit is shifted to the sign, which the mask instructions
 * read. */
static inline __m256 m_test_bit(const uint32_t *word, int32_t bit)
{
    const __m256i words = _mm256_loadu_si256((const __m256i *)word);
    return _mm256_castsi256_ps(_mm256_sll_epi32(words, _mm_cvtsi32_si128(31 - bit)));
}

/* For each value of 8 bits, one byte per lane, lane 0 lowest. A byte has the number of set bits
 * below the lane's own, which is the index of the lane's value; its sign is the lane's own bit. */
static const uint64_t spmv_expand[256] = {
    0x0000000000000000, 0x0101010101010180, 0x0101010101018000, 0x0202020202028180,
    0x0101010101800000, 0x0202020202810180, 0x0202020202818000, 0x0303030303828180,
    0x0101010180000000, 0x0202020281010180, 0x0202020281018000, 0x0303030382028180,
    0x0202020281800000, 0x0303030382810180, 0x0303030382818000, 0x0404040483828180,
    0x0101018000000000, 0x0202028101010180, 0x0202028101018000, 0x0303038202028180,
    0x0202028101800000, 0x0303038202810180, 0x0303038202818000, 0x0404048303828180,
    0x0202028180000000, 0x0303038281010180, 0x0303038281018000, 0x0404048382028180,
    0x0303038281800000, 0x0404048382810180, 0x0404048382818000, 0x0505058483828180,
    0x0101800000000000, 0x0202810101010180, 0x0202810101018000, 0x0303820202028180,
    0x0202810101800000, 0x0303820202810180, 0x0303820202818000, 0x0404830303828180,
    0x0202810180000000, 0x0303820281010180, 0x0303820281018000, 0x0404830382028180,
    0x0303820281800000, 0x0404830382810180, 0x0404830382818000, 0x0505840483828180,
    0x0202818000000000, 0x0303828101010180, 0x0303828101018000, 0x0404838202028180,
    0x0303828101800000, 0x0404838202810180, 0x0404838202818000, 0x0505848303828180,
    0x0303828180000000, 0x0404838281010180, 0x0404838281018000, 0x0505848382028180,
    0x0404838281800000, 0x0505848382810180, 0x0505848382818000, 0x0606858483828180,
    0x0180000000000000, 0x0281010101010180, 0x0281010101018000, 0x0382020202028180,
    0x0281010101800000, 0x0382020202810180, 0x0382020202818000, 0x0483030303828180,
    0x0281010180000000, 0x0382020281010180, 0x0382020281018000, 0x0483030382028180,
    0x0382020281800000, 0x0483030382810180, 0x0483030382818000, 0x0584040483828180,
    0x0281018000000000, 0x0382028101010180, 0x0382028101018000, 0x0483038202028180,
    0x0382028101800000, 0x0483038202810180, 0x0483038202818000, 0x0584048303828180,
    0x0382028180000000, 0x0483038281010180, 0x0483038281018000, 0x0584048382028180,
    0x0483038281800000, 0x0584048382810180, 0x0584048382818000, 0x0685058483828180,
    0x0281800000000000, 0x0382810101010180, 0x0382810101018000, 0x0483820202028180,
    0x0382810101800000, 0x0483820202810180, 0x0483820202818000, 0x0584830303828180,
    0x0382810180000000, 0x0483820281010180, 0x0483820281018000, 0x0584830382028180,
    0x0483820281800000, 0x0584830382810180, 0x0584830382818000, 0x0685840483828180,
    0x0382818000000000, 0x0483828101010180, 0x0483828101018000, 0x0584838202028180,
    0x0483828101800000, 0x0584838202810180, 0x0584838202818000, 0x0685848303828180,
    0x0483828180000000, 0x0584838281010180, 0x0584838281018000, 0x0685848382028180,
    0x0584838281800000, 0x0685848382810180, 0x0685848382818000, 0x0786858483828180,
    0x8000000000000000, 0x8101010101010180, 0x8101010101018000, 0x8202020202028180,
    0x8101010101800000, 0x8202020202810180, 0x8202020202818000, 0x8303030303828180,
    0x8101010180000000, 0x8202020281010180, 0x8202020281018000, 0x8303030382028180,
    0x8202020281800000, 0x8303030382810180, 0x8303030382818000, 0x8404040483828180,
    0x8101018000000000, 0x8202028101010180, 0x8202028101018000, 0x8303038202028180,
    0x8202028101800000, 0x8303038202810180, 0x8303038202818000, 0x8404048303828180,
    0x8202028180000000, 0x8303038281010180, 0x8303038281018000, 0x8404048382028180,
    0x8303038281800000, 0x8404048382810180, 0x8404048382818000, 0x8505058483828180,
    0x8101800000000000, 0x8202810101010180, 0x8202810101018000, 0x8303820202028180,
    0x8202810101800000, 0x8303820202810180, 0x8303820202818000, 0x8404830303828180,
    0x8202810180000000, 0x8303820281010180, 0x8303820281018000, 0x8404830382028180,
    0x8303820281800000, 0x8404830382810180, 0x8404830382818000, 0x8505840483828180,
    0x8202818000000000, 0x8303828101010180, 0x8303828101018000, 0x8404838202028180,
    0x8303828101800000, 0x8404838202810180, 0x8404838202818000, 0x8505848303828180,
    0x8303828180000000, 0x8404838281010180, 0x8404838281018000, 0x8505848382028180,
    0x8404838281800000, 0x8505848382810180, 0x8505848382818000, 0x8606858483828180,
    0x8180000000000000, 0x8281010101010180, 0x8281010101018000, 0x8382020202028180,
    0x8281010101800000, 0x8382020202810180, 0x8382020202818000, 0x8483030303828180,
    0x8281010180000000, 0x8382020281010180, 0x8382020281018000, 0x8483030382028180,
    0x8382020281800000, 0x8483030382810180, 0x8483030382818000, 0x8584040483828180,
    0x8281018000000000, 0x8382028101010180, 0x8382028101018000, 0x8483038202028180,
    0x8382028101800000, 0x8483038202810180, 0x8483038202818000, 0x8584048303828180,
    0x8382028180000000, 0x8483038281010180, 0x8483038281018000, 0x8584048382028180,
    0x8483038281800000, 0x8584048382810180, 0x8584048382818000, 0x8685058483828180,
    0x8281800000000000, 0x8382810101010180, 0x8382810101018000, 0x8483820202028180,
    0x8382810101800000, 0x8483820202810180, 0x8483820202818000, 0x8584830303828180,
    0x8382810180000000, 0x8483820281010180, 0x8483820281018000, 0x8584830382028180,
    0x8483820281800000, 0x8584830382810180, 0x8584830382818000, 0x8685840483828180,
    0x8382818000000000, 0x8483828101010180, 0x8483828101018000, 0x8584838202028180,
    0x8483828101800000, 0x8584838202810180, 0x8584838202818000, 0x8685848303828180,
    0x8483828180000000, 0x8584838281010180, 0x8584838281018000, 0x8685848382028180,
    0x8584838281800000, 0x8685848382810180, 0x8685848382818000, 0x8786858483828180,
};

/* The bytes of the table as lanes: indices of values, and the sign of lanes whose bit is set. */
static inline __m256i spmv_expansion(uint32_t bits)
{
    return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(spmv_expand + bits)));
}

/* All bits of the lanes whose bit is set. */
static inline __m256 m_from_bits(uint32_t bits)
{
    return _mm256_castsi256_ps(_mm256_srai_epi32(spmv_expansion(bits), 31));
}

/* Distributes consecutive values from p on over the lanes whose bit is set. */
static inline __m256 v_expand(const float *p, uint32_t bits)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(p), spmv_expansion(bits));
}

/* Distributes consecutive lanes over the lanes whose bit is set. */
static inline __m256 v_spread(__m256 packed, uint32_t bits)
{
    return _mm256_permutevar8x32_ps(packed, spmv_expansion(bits));
}

/* a*b + c where the mask is set. Elsewhere -(0*0) is added, which is -0 and leaves any c unchanged.
 * Two ands before cost less than a select after. */
static inline __m256 v_fma_where(__m256 m, __m256 a, __m256 b, __m256 c)
{
    const __m256 minus_b = _mm256_xor_ps(b, _mm256_set1_ps(-0.0f));
    return _mm256_fnmadd_ps(_mm256_and_ps(m, a), _mm256_and_ps(m, minus_b), c);
}

#endif

#ifdef REAL_IS_F64

/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline double v_sum(__m256d a)
{
    const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

/* The sum of a's halves, then the sum of b's halves. */
static inline __m256d v_fold_halves(__m256d a, __m256d b)
{
    return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
}

/* v_sum of 4 vectors: lane i has the sum of v[i]. Each step adds the upper half of a vector's part
 * to the lower half, as v_sum does, and puts the halves of two vectors side by side. */
static inline __m256d v_sums(const __m256d *v)
{
    const __m256d even = v_fold_halves(v[0], v[2]);
    const __m256d odd = v_fold_halves(v[1], v[3]);
    return _mm256_add_pd(_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd));
}

/* Vector k of 4 is stored as column k; row i is at p + i * stride. */
static inline void v_transpose(const __m256d *a, double *p, int32_t stride)
{
    const __m256d a0 = _mm256_unpacklo_pd(a[0], a[1]), a1 = _mm256_unpackhi_pd(a[0], a[1]);
    const __m256d a2 = _mm256_unpacklo_pd(a[2], a[3]), a3 = _mm256_unpackhi_pd(a[2], a[3]);
    _mm256_storeu_pd(p, _mm256_permute2f128_pd(a0, a2, 0x20));
    _mm256_storeu_pd(p + stride, _mm256_permute2f128_pd(a1, a3, 0x20));
    _mm256_storeu_pd(p + 2 * stride, _mm256_permute2f128_pd(a0, a2, 0x31));
    _mm256_storeu_pd(p + 3 * stride, _mm256_permute2f128_pd(a1, a3, 0x31));
}

/* x at 4 columns, by the gather instruction. */
static inline __m256d v_gather(const double *x, const int32_t *col)
{
    return _mm256_i32gather_pd(x, _mm_loadu_si128((const __m128i *)col), 8);
}

/* x at 4 columns, by one load per lane: faster than the gather instruction on many CPUs. Columns
 * are read two by two: cores have few load units, and x needs one load per lane. */
static inline __m256d v_collect(const double *x, const int32_t *col)
{
    uint64_t a, b;
    memcpy(&a, col, sizeof a);
    memcpy(&b, col + 2, sizeof b);
    return _mm256_set_pd(x[b >> 32], x[(uint32_t)b], x[a >> 32], x[(uint32_t)a]);
}

/* x at 4 columns of 16 bits, by the gather instruction. */
static inline __m256d v_gather16(const double *x, const uint16_t *col)
{
    return _mm256_i32gather_pd(x, _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)col)), 8);
}

/* x at 4 columns of 16 bits, which are read at once, by one load per lane. */
static inline __m256d v_collect16(const double *x, const uint16_t *col)
{
    uint64_t a;
    memcpy(&a, col, sizeof a);
    return _mm256_set_pd(x[a >> 48], x[(uint16_t)(a >> 32)], x[(uint32_t)a >> 16], x[(uint16_t)a]);
}

/* 4 values stored in single precision. */
static inline __m256d v_load_single(const float *p)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
}

/* Value code[i] of a table in one register, as two halves: a code c becomes the indices 2 c and
 * 2 c + 1. A load broadcasts the codes, since shuffles are what cores have few units for. */
static inline __m256d v_pick(__m256i table, const uint8_t *code)
{
    const __m256i place = _mm256_setr_epi8(0, -1, -1, -1, 0, -1, -1, -1, 1, -1, -1, -1, 1, -1, -1,
                                           -1, 2, -1, -1, -1, 2, -1, -1, -1, 3, -1, -1, -1, 3, -1,
                                           -1, -1);
    const __m256i upper = _mm256_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1);
    int32_t four;
    memcpy(&four, code, sizeof four);
    const __m256i codes = _mm256_shuffle_epi8(_mm256_set1_epi32(four), place);
    const __m256i halves = _mm256_add_epi32(_mm256_add_epi32(codes, codes), upper);
    return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(table, halves));
}

/* x at 4 columns of 8 bits, by the gather instruction. */
static inline __m256d v_gather8(const double *x, const uint8_t *col)
{
    int32_t columns;
    memcpy(&columns, col, sizeof columns);
    return _mm256_i32gather_pd(x, _mm_cvtepu8_epi32(_mm_cvtsi32_si128(columns)), 8);
}

/* x at 4 columns of 8 bits, by one load per lane. */
static inline __m256d v_collect8(const double *x, const uint8_t *col)
{
    return v_collect8_4(x, col);
}

/* p[index[i]] = lane i, by one store per lane. */
static inline void v_distribute(double *p, const int32_t *index, __m256d a)
{
    const __m128d low = _mm256_castpd256_pd128(a);
    const __m128d high = _mm256_extractf128_pd(a, 1);
    _mm_storel_pd(p + index[0], low);
    _mm_storeh_pd(p + index[1], low);
    _mm_storel_pd(p + index[2], high);
    _mm_storeh_pd(p + index[3], high);
}

/* The lanes below n. */
static inline __m256i m_first(int32_t n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}

/* n < 4 values, zeros above; the memory above is not accessed. */
static inline __m256d v_load_first(const double *p, int32_t n)
{
    return _mm256_maskload_pd(p, m_first(n));
}

/* Writes the lanes below n < 4. */
static inline void v_store_first(double *p, int32_t n, __m256d a)
{
    _mm256_maskstore_pd(p, m_first(n), a);
}

/* a in the lanes below n, zeros above. */
static inline __m256d v_first(__m256d a, int32_t n)
{
    return _mm256_and_pd(a, _mm256_castsi256_pd(m_first(n)));
}

/* x at n < 4 columns, zeros above; the columns above are not read. */
static inline __m256d v_collect_first(const double *x, const int32_t *col, int32_t n)
{
    __m128d low = _mm_load_sd(x + col[0]);
    __m128d high = _mm_setzero_pd();
    if (n > 1)
        low = _mm_loadh_pd(low, x + col[1]);
    if (n > 2)
        high = _mm_load_sd(x + col[2]);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}

/* The mask of 64-bit lanes as one of 32-bit lanes: -1 where it is set. */
static inline __m128i m_words(__m256d m)
{
    const __m128 low = _mm_castpd_ps(_mm256_castpd256_pd128(m));
    const __m128 high = _mm_castpd_ps(_mm256_extractf128_pd(m, 1));
    return _mm_srai_epi32(_mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1))), 31);
}

/* a where the mask is set, b elsewhere. */
static inline __m128i i_select(__m256d m, __m128i a, __m128i b)
{
    return _mm_blendv_epi8(b, a, m_words(m));
}

/* a + 1 where the mask is set. */
static inline __m128i i_increment(__m256d m, __m128i a)
{
    return _mm_sub_epi32(a, m_words(m));
}

/* p[index] = value, by one store per lane: there is no scatter instruction. */
static inline void v_scatter(double *p, __m128i index, __m256d a)
{
    const __m128d low = _mm256_castpd256_pd128(a);
    const __m128d high = _mm256_extractf128_pd(a, 1);
    _mm_storel_pd(p + _mm_cvtsi128_si32(index), low);
    _mm_storeh_pd(p + _mm_extract_epi32(index, 1), low);
    _mm_storel_pd(p + _mm_extract_epi32(index, 2), high);
    _mm_storeh_pd(p + _mm_extract_epi32(index, 3), high);
}

/* The lanes whose word has the bit set: the bit is shifted to the sign, which the mask instructions
 * read. */
static inline __m256d m_test_bit(const uint32_t *word, int32_t bit)
{
    const __m128i words = _mm_loadu_si128((const __m128i *)word);
    const __m128i sign = _mm_sll_epi32(words, _mm_cvtsi32_si128(31 - bit));
    return _mm256_castsi256_pd(_mm256_cvtepi32_epi64(sign));
}

/* For each value of 4 bits, one byte per half of a lane, lane 0 lowest. A lane's value has as index
 * the number of set bits below the lane's own bit. A byte has the index of a half of that value;
 * its sign is the lane's own bit. */
static const uint64_t spmv_expand[16] = {
    0x0100010001000100, 0x0302030203028180, 0x0302030281800100, 0x0504050483828180,
    0x0302818001000100, 0x0504838203028180, 0x0504838281800100, 0x0706858483828180,
    0x8180010001000100, 0x8382030203028180, 0x8382030281800100, 0x8584050483828180,
    0x8382818001000100, 0x8584838203028180, 0x8584838281800100, 0x8786858483828180,
};

/* The bytes of the table as halves of lanes: indices of halves, and the sign of lanes whose bit is
 * set. */
static inline __m256i spmv_expansion(uint32_t bits)
{
    return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(spmv_expand + bits)));
}

/* All bits of the lanes whose bit is set. */
static inline __m256d m_from_bits(uint32_t bits)
{
    return _mm256_castsi256_pd(_mm256_srai_epi32(spmv_expansion(bits), 31));
}

/* Distributes consecutive values from p on over the lanes whose bit is set. */
static inline __m256d v_expand(const double *p, uint32_t bits)
{
    const __m256i halves = _mm256_loadu_si256((const __m256i *)p);
    return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(halves, spmv_expansion(bits)));
}

/* Distributes consecutive lanes over the lanes whose bit is set. */
static inline __m256d v_spread(__m256d packed, uint32_t bits)
{
    const __m256i halves = _mm256_castpd_si256(packed);
    return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(halves, spmv_expansion(bits)));
}

/* a*b + c where the mask is set. Elsewhere -(0*0) is added, which is -0 and leaves any c unchanged.
 * Two ands before cost less than a select after. */
static inline __m256d v_fma_where(__m256d m, __m256d a, __m256d b, __m256d c)
{
    const __m256d minus_b = _mm256_xor_pd(b, _mm256_set1_pd(-0.0));
    return _mm256_fnmadd_pd(_mm256_and_pd(m, a), _mm256_and_pd(m, minus_b), c);
}

#endif
