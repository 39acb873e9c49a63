/* avx512.c: words of avx512.lua that are functions, on 512-bit vectors of AVX-512. */
#include "helpers.h"
#include "x86_columns.c"
#include <immintrin.h>

/* For each value of 8 bits, one byte per lane, lane 0 lowest: the number of set bits below the
 * lane's own. */
static const uint64_t spmv_expand_8[256] = {
    0x0000000000000000, 0x0101010101010100, 0x0101010101010000, 0x0202020202020100,
    0x0101010101000000, 0x0202020202010100, 0x0202020202010000, 0x0303030303020100,
    0x0101010100000000, 0x0202020201010100, 0x0202020201010000, 0x0303030302020100,
    0x0202020201000000, 0x0303030302010100, 0x0303030302010000, 0x0404040403020100,
    0x0101010000000000, 0x0202020101010100, 0x0202020101010000, 0x0303030202020100,
    0x0202020101000000, 0x0303030202010100, 0x0303030202010000, 0x0404040303020100,
    0x0202020100000000, 0x0303030201010100, 0x0303030201010000, 0x0404040302020100,
    0x0303030201000000, 0x0404040302010100, 0x0404040302010000, 0x0505050403020100,
    0x0101000000000000, 0x0202010101010100, 0x0202010101010000, 0x0303020202020100,
    0x0202010101000000, 0x0303020202010100, 0x0303020202010000, 0x0404030303020100,
    0x0202010100000000, 0x0303020201010100, 0x0303020201010000, 0x0404030302020100,
    0x0303020201000000, 0x0404030302010100, 0x0404030302010000, 0x0505040403020100,
    0x0202010000000000, 0x0303020101010100, 0x0303020101010000, 0x0404030202020100,
    0x0303020101000000, 0x0404030202010100, 0x0404030202010000, 0x0505040303020100,
    0x0303020100000000, 0x0404030201010100, 0x0404030201010000, 0x0505040302020100,
    0x0404030201000000, 0x0505040302010100, 0x0505040302010000, 0x0606050403020100,
    0x0100000000000000, 0x0201010101010100, 0x0201010101010000, 0x0302020202020100,
    0x0201010101000000, 0x0302020202010100, 0x0302020202010000, 0x0403030303020100,
    0x0201010100000000, 0x0302020201010100, 0x0302020201010000, 0x0403030302020100,
    0x0302020201000000, 0x0403030302010100, 0x0403030302010000, 0x0504040403020100,
    0x0201010000000000, 0x0302020101010100, 0x0302020101010000, 0x0403030202020100,
    0x0302020101000000, 0x0403030202010100, 0x0403030202010000, 0x0504040303020100,
    0x0302020100000000, 0x0403030201010100, 0x0403030201010000, 0x0504040302020100,
    0x0403030201000000, 0x0504040302010100, 0x0504040302010000, 0x0605050403020100,
    0x0201000000000000, 0x0302010101010100, 0x0302010101010000, 0x0403020202020100,
    0x0302010101000000, 0x0403020202010100, 0x0403020202010000, 0x0504030303020100,
    0x0302010100000000, 0x0403020201010100, 0x0403020201010000, 0x0504030302020100,
    0x0403020201000000, 0x0504030302010100, 0x0504030302010000, 0x0605040403020100,
    0x0302010000000000, 0x0403020101010100, 0x0403020101010000, 0x0504030202020100,
    0x0403020101000000, 0x0504030202010100, 0x0504030202010000, 0x0605040303020100,
    0x0403020100000000, 0x0504030201010100, 0x0504030201010000, 0x0605040302020100,
    0x0504030201000000, 0x0605040302010100, 0x0605040302010000, 0x0706050403020100,
    0x0000000000000000, 0x0101010101010100, 0x0101010101010000, 0x0202020202020100,
    0x0101010101000000, 0x0202020202010100, 0x0202020202010000, 0x0303030303020100,
    0x0101010100000000, 0x0202020201010100, 0x0202020201010000, 0x0303030302020100,
    0x0202020201000000, 0x0303030302010100, 0x0303030302010000, 0x0404040403020100,
    0x0101010000000000, 0x0202020101010100, 0x0202020101010000, 0x0303030202020100,
    0x0202020101000000, 0x0303030202010100, 0x0303030202010000, 0x0404040303020100,
    0x0202020100000000, 0x0303030201010100, 0x0303030201010000, 0x0404040302020100,
    0x0303030201000000, 0x0404040302010100, 0x0404040302010000, 0x0505050403020100,
    0x0101000000000000, 0x0202010101010100, 0x0202010101010000, 0x0303020202020100,
    0x0202010101000000, 0x0303020202010100, 0x0303020202010000, 0x0404030303020100,
    0x0202010100000000, 0x0303020201010100, 0x0303020201010000, 0x0404030302020100,
    0x0303020201000000, 0x0404030302010100, 0x0404030302010000, 0x0505040403020100,
    0x0202010000000000, 0x0303020101010100, 0x0303020101010000, 0x0404030202020100,
    0x0303020101000000, 0x0404030202010100, 0x0404030202010000, 0x0505040303020100,
    0x0303020100000000, 0x0404030201010100, 0x0404030201010000, 0x0505040302020100,
    0x0404030201000000, 0x0505040302010100, 0x0505040302010000, 0x0606050403020100,
    0x0100000000000000, 0x0201010101010100, 0x0201010101010000, 0x0302020202020100,
    0x0201010101000000, 0x0302020202010100, 0x0302020202010000, 0x0403030303020100,
    0x0201010100000000, 0x0302020201010100, 0x0302020201010000, 0x0403030302020100,
    0x0302020201000000, 0x0403030302010100, 0x0403030302010000, 0x0504040403020100,
    0x0201010000000000, 0x0302020101010100, 0x0302020101010000, 0x0403030202020100,
    0x0302020101000000, 0x0403030202010100, 0x0403030202010000, 0x0504040303020100,
    0x0302020100000000, 0x0403030201010100, 0x0403030201010000, 0x0504040302020100,
    0x0403030201000000, 0x0504040302010100, 0x0504040302010000, 0x0605050403020100,
    0x0201000000000000, 0x0302010101010100, 0x0302010101010000, 0x0403020202020100,
    0x0302010101000000, 0x0403020202010100, 0x0403020202010000, 0x0504030303020100,
    0x0302010100000000, 0x0403020201010100, 0x0403020201010000, 0x0504030302020100,
    0x0403020201000000, 0x0504030302010100, 0x0504030302010000, 0x0605040403020100,
    0x0302010000000000, 0x0403020101010100, 0x0403020101010000, 0x0504030202020100,
    0x0403020101000000, 0x0504030202010100, 0x0504030202010000, 0x0605040303020100,
    0x0403020100000000, 0x0504030201010100, 0x0504030201010000, 0x0605040302020100,
    0x0504030201000000, 0x0605040302010100, 0x0605040302010000, 0x0706050403020100,
};

#ifdef REAL_IS_F32

/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline float v_sum(__m512 a)
{
    const __m256 h = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

/* The sum of a's halves, then the sum of b's halves. */
static inline __m512 v_fold_halves(__m512 a, __m512 b)
{
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xee));
}

/* The sum of a's quarters 0 and 1, the sum of a's quarters 2 and 3, then the same of b. */
static inline __m512 v_fold_quarters(__m512 a, __m512 b)
{
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
}

/* v_sum of 16 vectors: lane i has the sum of v[i]. Each step adds the upper half of a vector's part
 * to the lower half, as v_sum does, and puts the halves of two vectors side by side. */
static inline __m512 v_sums(const __m512 *v)
{
    __m512 block[4];
    for (int i = 0; i < 4; i++)
        block[i] =
            v_fold_quarters(v_fold_halves(v[i], v[i + 4]), v_fold_halves(v[i + 8], v[i + 12]));
    for (int i = 0; i < 4; i += 2) {
        const __m512d a = _mm512_castps_pd(block[i]);
        const __m512d b = _mm512_castps_pd(block[i + 1]);
        block[i] = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)),
                                 _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
    }
    return _mm512_add_ps(_mm512_shuffle_ps(block[0], block[2], _MM_SHUFFLE(2, 0, 2, 0)),
                         _mm512_shuffle_ps(block[0], block[2], _MM_SHUFFLE(3, 1, 3, 1)));
}

/* Vector k of 16 is stored as column k; row i is at p + i * stride. Transposes the lanes of every
 * four vectors within blocks of four lanes, then the blocks. */
static inline void v_transpose(const __m512 *a, float *p, int32_t stride)
{
    __m512 block[4][4];
    for (int32_t g = 0; g < 4; g++) {
        const __m512 a0 = _mm512_unpacklo_ps(a[4 * g], a[4 * g + 1]);
        const __m512 a1 = _mm512_unpackhi_ps(a[4 * g], a[4 * g + 1]);
        const __m512 a2 = _mm512_unpacklo_ps(a[4 * g + 2], a[4 * g + 3]);
        const __m512 a3 = _mm512_unpackhi_ps(a[4 * g + 2], a[4 * g + 3]);
        block[g][0] = _mm512_shuffle_ps(a0, a2, 0x44);
        block[g][1] = _mm512_shuffle_ps(a0, a2, 0xee);
        block[g][2] = _mm512_shuffle_ps(a1, a3, 0x44);
        block[g][3] = _mm512_shuffle_ps(a1, a3, 0xee);
    }
    for (int32_t i = 0; i < 4; i++) {
        const __m512 b0 = _mm512_shuffle_f32x4(block[0][i], block[1][i], 0x88);
        const __m512 b1 = _mm512_shuffle_f32x4(block[0][i], block[1][i], 0xdd);
        const __m512 b2 = _mm512_shuffle_f32x4(block[2][i], block[3][i], 0x88);
        const __m512 b3 = _mm512_shuffle_f32x4(block[2][i], block[3][i], 0xdd);
        _mm512_storeu_ps(p + i * stride, _mm512_shuffle_f32x4(b0, b2, 0x88));
        _mm512_storeu_ps(p + (i + 4) * stride, _mm512_shuffle_f32x4(b1, b3, 0x88));
        _mm512_storeu_ps(p + (i + 8) * stride, _mm512_shuffle_f32x4(b0, b2, 0xdd));
        _mm512_storeu_ps(p + (i + 12) * stride, _mm512_shuffle_f32x4(b1, b3, 0xdd));
    }
}

/* x at 16 columns, by the gather instruction. */
static inline __m512 v_gather(const float *x, const int32_t *col)
{
    return _mm512_i32gather_ps(_mm512_loadu_si512(col), x, 4);
}

/* x at 16 columns, by one load per lane: faster than the gather instruction on many CPUs. */
static inline __m512 v_collect(const float *x, const int32_t *col)
{
    const __m256 a = _mm256_castps128_ps256(v_collect_4(x, col));
    const __m256 c = _mm256_castps128_ps256(v_collect_4(x, col + 8));
    const __m256 low = _mm256_insertf128_ps(a, v_collect_4(x, col + 4), 1);
    const __m256 high = _mm256_insertf128_ps(c, v_collect_4(x, col + 12), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

/* x at 16 columns of 16 bits, by the gather instruction. */
static inline __m512 v_gather16(const float *x, const uint16_t *col)
{
    return _mm512_i32gather_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)col)), x,
                               4);
}

/* x at 16 columns of 16 bits, by one load per lane. */
static inline __m512 v_collect16(const float *x, const uint16_t *col)
{
    const __m256 a = _mm256_castps128_ps256(v_collect16_4(x, col));
    const __m256 c = _mm256_castps128_ps256(v_collect16_4(x, col + 8));
    const __m256 low = _mm256_insertf128_ps(a, v_collect16_4(x, col + 4), 1);
    const __m256 high = _mm256_insertf128_ps(c, v_collect16_4(x, col + 12), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

/* A table in two registers, from which one instruction picks. */
typedef struct vtable {
    __m512 low, high;
} vtable;

static inline vtable v_table(const float *p)
{
    const vtable result = { _mm512_loadu_ps(p), _mm512_loadu_ps(p + 16) };
    return result;
}

/* Value code[i] of the table. */
static inline __m512 v_pick(vtable table, const uint8_t *code)
{
    const __m128i codes = _mm_loadu_si128((const __m128i *)code);
    return _mm512_permutex2var_ps(table.low, _mm512_cvtepu8_epi32(codes), table.high);
}

/* x at 16 columns of 8 bits, by the gather instruction. */
static inline __m512 v_gather8(const float *x, const uint8_t *col)
{
    return _mm512_i32gather_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)col)), x, 4);
}

/* x at 16 columns of 8 bits, by one load per lane. */
static inline __m512 v_collect8(const float *x, const uint8_t *col)
{
    const __m256 a = _mm256_castps128_ps256(v_collect8_4(x, col));
    const __m256 c = _mm256_castps128_ps256(v_collect8_4(x, col + 8));
    const __m256 low = _mm256_insertf128_ps(a, v_collect8_4(x, col + 4), 1);
    const __m256 high = _mm256_insertf128_ps(c, v_collect8_4(x, col + 12), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

/* Runs of 4 values, from four places. */
static inline __m512 v_load_runs(const float *x, const uint16_t *place)
{
    const __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(x + place[0]));
    const __m256 high = _mm256_castps128_ps256(_mm_loadu_ps(x + place[2]));
    const __m256 a = _mm256_insertf128_ps(low, _mm_loadu_ps(x + place[1]), 1);
    const __m256 b = _mm256_insertf128_ps(high, _mm_loadu_ps(x + place[3]), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(a), b, 1);
}

/* Runs of 4 values, to four places; the first one last. */
static inline void v_store_runs(float *p, const uint16_t *place, __m512 a)
{
    _mm_storeu_ps(p + place[3], _mm512_extractf32x4_ps(a, 3));
    _mm_storeu_ps(p + place[2], _mm512_extractf32x4_ps(a, 2));
    _mm_storeu_ps(p + place[1], _mm512_extractf32x4_ps(a, 1));
    _mm_storeu_ps(p + place[0], _mm512_castps512_ps128(a));
}

/* The columns of runs of 4, from four places. */
static inline void i_store_runs(int32_t *to, const uint16_t *place, int32_t first, uint32_t bits)
{
    const __m512i run = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
    const __m128i places = _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)place));
    const __m512i begin = _mm512_permutexvar_epi32(run, _mm512_castsi128_si512(places));
    const __m512i col = _mm512_add_epi32(begin, _mm512_add_epi32(lane, _mm512_set1_epi32(first)));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, col));
}

/* p[index[i]] = lane i, of 4. */
static inline void v_distribute_4(float *p, const int32_t *index, __m128 a)
{
    _mm_store_ss(p + index[0], a);
    _mm_store_ss(p + index[1], _mm_movehdup_ps(a));
    _mm_store_ss(p + index[2], _mm_unpackhi_ps(a, a));
    _mm_store_ss(p + index[3], _mm_shuffle_ps(a, a, 3));
}

/* p[index[i]] = lane i, by one store per lane. */
static inline void v_distribute(float *p, const int32_t *index, __m512 a)
{
    v_distribute_4(p, index, _mm512_castps512_ps128(a));
    v_distribute_4(p, index + 4, _mm512_extractf32x4_ps(a, 1));
    v_distribute_4(p, index + 8, _mm512_extractf32x4_ps(a, 2));
    v_distribute_4(p, index + 12, _mm512_extractf32x4_ps(a, 3));
}

/* n < 16 values, zeros above; the memory above is not accessed. */
static inline __m512 v_load_first(const float *p, int32_t n)
{
    return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
}

/* Writes the lanes below n < 16: half a vector crosses a cache line less often. */
static inline void v_store_first(float *p, int32_t n, __m512 a)
{
    if (n <= 8)
        _mm256_mask_storeu_ps(p, (__mmask8)((1u << n) - 1), _mm512_castps512_ps256(a));
    else
        _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), a);
}

/* x at n < 16 columns, zeros above; the columns above are not read. */
static inline __m512 v_collect_first(const float *x, const int32_t *col, int32_t n)
{
    const __mmask16 m = (__mmask16)((1u << n) - 1);
    return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), m, _mm512_maskz_loadu_epi32(m, col), x, 4);
}

/* first, first + 1, first + 2, ... */
static inline __m512i i_from(int32_t first)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_add_epi32(_mm512_set1_epi32(first), lane);
}

/* p[index] = value in each lane. */
static inline void v_scatter(float *p, __m512i index, __m512 a)
{
    _mm512_i32scatter_ps(p, index, a, 4);
}

/* The lanes whose word has the bit set. */
static inline __mmask16 m_test_bit(const uint32_t *word, int32_t bit)
{
    return _mm512_test_epi32_mask(_mm512_loadu_si512(word), _mm512_set1_epi32((int)(1u << bit)));
}

/* Distributes consecutive values from p on over the lanes whose bit is set. The asm keeps compilers
 * from merging load and expansion: expanding from memory is microcode on Zen 4 and 5. */
static inline __m512 v_expand(const float *p, uint32_t bits)
{
    __m512 packed = _mm512_loadu_ps(p);
    __asm__("" : "+v"(packed));
    return _mm512_maskz_expand_ps((__mmask16)bits, packed);
}

/* As v_expand, eight lanes at a time. */
static inline __m512 v_expand_by_table(const float *p, uint32_t bits)
{
    const uint32_t low = bits & 255;
    const __m256i first =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(spmv_expand_8 + low)));
    const __m256i second =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(spmv_expand_8 + (bits >> 8))));
    const __m256 from_second = _mm256_loadu_ps(p + __builtin_popcount(low));

    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_permutevar8x32_ps(_mm256_loadu_ps(p),
        first)),
                              _mm256_permutevar8x32_ps(from_second, second), 1);
}

#endif

#ifdef REAL_IS_F64

/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline double v_sum(__m512d a)
{
    const __m256d h = _mm256_add_pd(_mm512_castpd512_pd256(a), _mm512_extractf64x4_pd(a, 1));
    const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(h), _mm256_extractf128_pd(h, 1));
    return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

/* The sum of a's halves, then the sum of b's halves. */
static inline __m512d v_fold_halves(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x44), _mm512_shuffle_f64x2(a, b, 0xee));
}

/* The sum of a's quarters 0 and 1, the sum of a's quarters 2 and 3, then the same of b. */
static inline __m512d v_fold_quarters(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x88), _mm512_shuffle_f64x2(a, b, 0xdd));
}

/* v_sum of 8 vectors: lane i has the sum of v[i]. Each step adds the upper half of a vector's part
 * to the lower half, as v_sum does, and puts the halves of two vectors side by side. */
static inline __m512d v_sums(const __m512d *v)
{
    const __m512d even = v_fold_quarters(v_fold_halves(v[0], v[2]), v_fold_halves(v[4], v[6]));
    const __m512d odd = v_fold_quarters(v_fold_halves(v[1], v[3]), v_fold_halves(v[5], v[7]));
    return _mm512_add_pd(_mm512_unpacklo_pd(even, odd), _mm512_unpackhi_pd(even, odd));
}

/* Vector k of 8 is stored as column k; row i is at p + i * stride. Transposes the lanes of every
 * two vectors within blocks of two lanes, then the blocks. */
static inline void v_transpose(const __m512d *a, double *p, int32_t stride)
{
    __m512d block[4][2];
    for (int32_t g = 0; g < 4; g++) {
        block[g][0] = _mm512_unpacklo_pd(a[2 * g], a[2 * g + 1]);
        block[g][1] = _mm512_unpackhi_pd(a[2 * g], a[2 * g + 1]);
    }
    for (int32_t i = 0; i < 2; i++) {
        const __m512d b0 = _mm512_shuffle_f64x2(block[0][i], block[1][i], 0x88);
        const __m512d b1 = _mm512_shuffle_f64x2(block[0][i], block[1][i], 0xdd);
        const __m512d b2 = _mm512_shuffle_f64x2(block[2][i], block[3][i], 0x88);
        const __m512d b3 = _mm512_shuffle_f64x2(block[2][i], block[3][i], 0xdd);
        _mm512_storeu_pd(p + i * stride, _mm512_shuffle_f64x2(b0, b2, 0x88));
        _mm512_storeu_pd(p + (i + 2) * stride, _mm512_shuffle_f64x2(b1, b3, 0x88));
        _mm512_storeu_pd(p + (i + 4) * stride, _mm512_shuffle_f64x2(b0, b2, 0xdd));
        _mm512_storeu_pd(p + (i + 6) * stride, _mm512_shuffle_f64x2(b1, b3, 0xdd));
    }
}

/* x at 8 columns, by the gather instruction. */
static inline __m512d v_gather(const double *x, const int32_t *col)
{
    return _mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)col), x, 8);
}

/* x at 8 columns, by one load per lane: faster than the gather instruction on many CPUs. */
static inline __m512d v_collect(const double *x, const int32_t *col)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(v_collect_4(x, col)),
                              v_collect_4(x, col + 4), 1);
}

/* x at 8 columns of 16 bits, by the gather instruction. */
static inline __m512d v_gather16(const double *x, const uint16_t *col)
{
    return _mm512_i32gather_pd(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)col)), x, 8);
}

/* x at 8 columns of 16 bits, by one load per lane. */
static inline __m512d v_collect16(const double *x, const uint16_t *col)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(v_collect16_4(x, col)),
                              v_collect16_4(x, col + 4), 1);
}

/* 8 values stored in single precision. */
static inline __m512d v_load_single(const float *p)
{
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
}

/* A table in two registers, from which one instruction picks. */
typedef struct vtable {
    __m512d low, high;
} vtable;

static inline vtable v_table(const double *p)
{
    const vtable result = { _mm512_loadu_pd(p), _mm512_loadu_pd(p + 8) };
    return result;
}

/* Value code[i] of the table. */
static inline __m512d v_pick(vtable table, const uint8_t *code)
{
    const __m128i codes = _mm_loadl_epi64((const __m128i *)code);
    return _mm512_permutex2var_pd(table.low, _mm512_cvtepu8_epi64(codes), table.high);
}

/* x at 8 columns of 8 bits, by the gather instruction. */
static inline __m512d v_gather8(const double *x, const uint8_t *col)
{
    return _mm512_i32gather_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)col)), x, 8);
}

/* x at 8 columns of 8 bits, by one load per lane. */
static inline __m512d v_collect8(const double *x, const uint8_t *col)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(v_collect8_4(x, col)),
                              v_collect8_4(x, col + 4), 1);
}

/* Runs of 4 values, from two places. */
static inline __m512d v_load_runs(const double *x, const uint16_t *place)
{
    const __m512d low = _mm512_castpd256_pd512(_mm256_loadu_pd(x + place[0]));
    return _mm512_insertf64x4(low, _mm256_loadu_pd(x + place[1]), 1);
}

/* Runs of 4 values, to two places; the first one last. */
static inline void v_store_runs(double *p, const uint16_t *place, __m512d a)
{
    _mm256_storeu_pd(p + place[1], _mm512_extractf64x4_pd(a, 1));
    _mm256_storeu_pd(p + place[0], _mm512_castpd512_pd256(a));
}

/* The columns of runs of 4, from two places. */
static inline void i_store_runs(int32_t *to, const uint16_t *place, int32_t first, uint32_t bits)
{
    const __m128i low = _mm_set1_epi32(first + place[0]);
    const __m128i high = _mm_set1_epi32(first + place[1]);
    const __m256i begin = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    const __m256i col = _mm256_add_epi32(begin, _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3));
    _mm256_storeu_si256((__m256i *)to, _mm256_maskz_compress_epi32((__mmask8)bits, col));
}

/* p[index[i]] = lane i, by one store per lane. */
static inline void v_distribute(double *p, const int32_t *index, __m512d a)
{
    const __m128d q1 = _mm512_extractf64x2_pd(a, 1);
    const __m128d q2 = _mm512_extractf64x2_pd(a, 2);
    const __m128d q3 = _mm512_extractf64x2_pd(a, 3);
    _mm_storel_pd(p + index[0], _mm512_castpd512_pd128(a));
    _mm_storeh_pd(p + index[1], _mm512_castpd512_pd128(a));
    _mm_storel_pd(p + index[2], q1);
    _mm_storeh_pd(p + index[3], q1);
    _mm_storel_pd(p + index[4], q2);
    _mm_storeh_pd(p + index[5], q2);
    _mm_storel_pd(p + index[6], q3);
    _mm_storeh_pd(p + index[7], q3);
}

/* n < 8 values, zeros above; the memory above is not accessed. */
static inline __m512d v_load_first(const double *p, int32_t n)
{
    return _mm512_maskz_loadu_pd((__mmask8)((1u << n) - 1), p);
}

/* Writes the lanes below n < 8: half a vector crosses a cache line less often. It is written as
 * floats, since GCC 12 makes a vextractf64x4 of a masked store of doubles, and that instruction
 * faults if memory behind a masked lane is not mapped. */
static inline void v_store_first(double *p, int32_t n, __m512d a)
{
    if (n <= 4)
        _mm256_mask_storeu_ps(p, (__mmask8)((1u << 2 * n) - 1),
                              _mm512_castps512_ps256(_mm512_castpd_ps(a)));
    else
        _mm512_mask_storeu_pd(p, (__mmask8)((1u << n) - 1), a);
}

/* x at n < 8 columns, zeros above; the columns above are not read. */
static inline __m512d v_collect_first(const double *x, const int32_t *col, int32_t n)
{
    const __mmask8 m = (__mmask8)((1u << n) - 1);
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), m, _mm256_maskz_loadu_epi32(m, col), x, 8);
}

/* first, first + 1, first + 2, ... */
static inline __m256i i_from(int32_t first)
{
    return _mm256_add_epi32(_mm256_set1_epi32(first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* p[index] = value in each lane. */
static inline void v_scatter(double *p, __m256i index, __m512d a)
{
    _mm512_i32scatter_pd(p, index, a, 8);
}

/* The lanes whose word has the bit set. */
static inline __mmask8 m_test_bit(const uint32_t *word, int32_t bit)
{
    return _mm256_test_epi32_mask(_mm256_loadu_si256((const __m256i *)word),
                                  _mm256_set1_epi32((int)(1u << bit)));
}

/* Distributes consecutive values from p on over the lanes whose bit is set. The asm keeps compilers
 * from merging load and expansion: expanding from memory is microcode on Zen 4 and 5. */
static inline __m512d v_expand(const double *p, uint32_t bits)
{
    __m512d packed = _mm512_loadu_pd(p);
    __asm__("" : "+v"(packed));
    return _mm512_maskz_expand_pd((__mmask8)bits, packed);
}

/* As v_expand. */
static inline __m512d v_expand_by_table(const double *p, uint32_t bits)
{
    const __m128i places = _mm_loadl_epi64((const __m128i *)(spmv_expand_8 + bits));

    return _mm512_permutexvar_pd(_mm512_cvtepu8_epi64(places), _mm512_loadu_pd(p));
}

#endif
