-- avx512.lua: x86 with AVX-512 F, VL, DQ and BW (x86-64-v4): 512-bit vectors.
--
-- A pragma gives all functions a target attribute, so that a file compiles without -m options and may stand
-- in one program with other instruction sets.

-- The table of v_expand_by_table.
local function expand_table()
    local digits = { [0] = "0", "1", "2", "3", "4", "5", "6", "7" }
    local text = "/* For each 8 bits a byte for each lane, the lowest first: how many bits below its own are set. */\n" ..
                 "static const uint64_t spmv_expand_8[256] = {"
    for bits = 0, 255 do
        local entry, below = "", 0
        for lane = 0, 7 do
            entry = "0" .. digits[below] .. entry
            below = below + (bits >> lane & 1)
        end
        text = text .. (bits % 4 == 0 and "\n    " or " ") .. "0x" .. entry .. ","
    end
    return text .. "\n};\n"
end

return {
    name = "avx512",
    usable = '__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && ' ..
             '__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && ' ..
             '__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && ' ..
             '__builtin_cpu_supports("bmi")',
    cpu_flags = { "avx512f", "avx512vl", "avx512dq", "avx512bw", "avx2", "fma", "bmi1" },
    fixed = { LANES = { f32 = 16, f64 = 8 } },

    preamble = [[

#if !defined(__x86_64__) && !defined(__i386__)
#error "this file is for x86: leave it out for other CPUs"
#endif
#include <immintrin.h>
#include <math.h>
#include <string.h>

/* The CPU has these instructions wherever module_usable, at the end of this file, says so: call no
 * function of it elsewhere. */
#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,bmi"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,bmi")
#endif
]],
    postamble = [[
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

]],

    rounds_once = true,
    words = {
        r_fma = { f32 = "fmaf($1, $2, $3)", f64 = "fma($1, $2, $3)" },
        u32_trailing_zeros = "__builtin_ctz($1)",
        FETCHER = "static inline __attribute__((always_inline))",
        prefetch = "__builtin_prefetch($1)",
        prefetch_l2 = "__builtin_prefetch($1, 0, 2)",
        u32_popcount = "__builtin_popcountll($1)",

        vreal = { f32 = "__m512", f64 = "__m512d" },
        v_zero = { f32 = "_mm512_setzero_ps()", f64 = "_mm512_setzero_pd()" },
        v_load = { f32 = "_mm512_loadu_ps($1)", f64 = "_mm512_loadu_pd($1)" },
        v_store = { f32 = "_mm512_storeu_ps($1, $2)", f64 = "_mm512_storeu_pd($1, $2)" },
        v_add = { f32 = "_mm512_add_ps($1, $2)", f64 = "_mm512_add_pd($1, $2)" },
        v_all = { f32 = "_mm512_set1_ps($1)", f64 = "_mm512_set1_pd($1)" },
        v_mul = { f32 = "_mm512_mul_ps($1, $2)", f64 = "_mm512_mul_pd($1, $2)" },
        v_fma = { f32 = "_mm512_fmadd_ps($1, $2, $3)", f64 = "_mm512_fmadd_pd($1, $2, $3)" },

        v_sum = {
            f32 = { helper = [=[
/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline float v_sum(__m512 a)
{
    const __m256 h = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}
]=] },
            f64 = { helper = [=[
/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline double v_sum(__m512d a)
{
    const __m256d h = _mm256_add_pd(_mm512_castpd512_pd256(a), _mm512_extractf64x4_pd(a, 1));
    const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(h), _mm256_extractf128_pd(h, 1));
    return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}
]=] },
        },

        v_sums = {
            f32 = { needs = { "v_fold_halves", "v_fold_quarters" }, helper = [=[
/* v_sum of 16 vectors, that of v[i] in lane i. Each step adds the upper half of a vector's part to
 * the lower half, as v_sum does, and puts the halves of two vectors side by side. */
static inline __m512 v_sums(const __m512 *v)
{
    __m512 block[4];
    for (int i = 0; i < 4; i++)
        block[i] = v_fold_quarters(v_fold_halves(v[i], v[i + 4]), v_fold_halves(v[i + 8], v[i + 12]));
    for (int i = 0; i < 4; i += 2) {
        const __m512d a = _mm512_castps_pd(block[i]);
        const __m512d b = _mm512_castps_pd(block[i + 1]);
        block[i] = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)),
                                 _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
    }
    return _mm512_add_ps(_mm512_shuffle_ps(block[0], block[2], _MM_SHUFFLE(2, 0, 2, 0)),
                         _mm512_shuffle_ps(block[0], block[2], _MM_SHUFFLE(3, 1, 3, 1)));
}
]=] },
            f64 = { needs = { "v_fold_halves", "v_fold_quarters" }, helper = [=[
/* v_sum of 8 vectors, that of v[i] in lane i. Each step adds the upper half of a vector's part to
 * the lower half, as v_sum does, and puts the halves of two vectors side by side. */
static inline __m512d v_sums(const __m512d *v)
{
    const __m512d even = v_fold_quarters(v_fold_halves(v[0], v[2]), v_fold_halves(v[4], v[6]));
    const __m512d odd = v_fold_quarters(v_fold_halves(v[1], v[3]), v_fold_halves(v[5], v[7]));
    return _mm512_add_pd(_mm512_unpacklo_pd(even, odd), _mm512_unpackhi_pd(even, odd));
}
]=] },
        },
        v_fold_halves = {
            f32 = { helper = [=[
/* The halves of a added, then those of b. */
static inline __m512 v_fold_halves(__m512 a, __m512 b)
{
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xee));
}
]=] },
            f64 = { helper = [=[
/* The halves of a added, then those of b. */
static inline __m512d v_fold_halves(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x44), _mm512_shuffle_f64x2(a, b, 0xee));
}
]=] },
        },
        v_fold_quarters = {
            f32 = { helper = [=[
/* The quarters 0 and 1 of a added, 2 and 3 of a, then those of b. */
static inline __m512 v_fold_quarters(__m512 a, __m512 b)
{
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
}
]=] },
            f64 = { helper = [=[
/* The quarters 0 and 1 of a added, 2 and 3 of a, then those of b. */
static inline __m512d v_fold_quarters(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x88), _mm512_shuffle_f64x2(a, b, 0xdd));
}
]=] },
        },

        v_transpose = {
            f32 = { helper = [=[
/* Vector k of 16 is stored as column k; row i is at p + i * stride. First every four vectors, in
 * blocks of four lanes; then the blocks. */
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
]=] },
            f64 = { helper = [=[
/* Vector k of 8 is stored as column k; row i is at p + i * stride. First every two vectors, in
 * blocks of two lanes; then the blocks. */
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
]=] },
        },

        v_gather = {
            f32 = { helper = [=[
/* x at 16 columns, by the gather instruction. */
static inline __m512 v_gather(const float *x, const int32_t *col)
{
    return _mm512_i32gather_ps(_mm512_loadu_si512(col), x, 4);
}
]=] },
            f64 = { helper = [=[
/* x at 8 columns, by the gather instruction. */
static inline __m512d v_gather(const double *x, const int32_t *col)
{
    return _mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)col), x, 8);
}
]=] },
        },

        v_collect = {
            f32 = { needs = { "v_collect_4" }, helper = [=[
/* x at 16 columns, by one load a lane: quicker than the gather instruction on many CPUs. */
static inline __m512 v_collect(const float *x, const int32_t *col)
{
    const __m256 a = _mm256_castps128_ps256(v_collect_4(x, col));
    const __m256 c = _mm256_castps128_ps256(v_collect_4(x, col + 8));
    const __m256 low = _mm256_insertf128_ps(a, v_collect_4(x, col + 4), 1);
    const __m256 high = _mm256_insertf128_ps(c, v_collect_4(x, col + 12), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}
]=] },
            f64 = { needs = { "v_collect_4" }, helper = [=[
/* x at 8 columns, by one load a lane: quicker than the gather instruction on many CPUs. */
static inline __m512d v_collect(const double *x, const int32_t *col)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(v_collect_4(x, col)), v_collect_4(x, col + 4), 1);
}
]=] },
        },
        v_collect_4 = {
            f32 = { helper = [=[
/* x at 4 columns, which are read two by two: cores have few units that load, and x takes one a lane. */
static inline __m128 v_collect_4(const float *x, const int32_t *col)
{
    uint64_t a, b;
    memcpy(&a, col, sizeof a);
    memcpy(&b, col + 2, sizeof b);
    return _mm_set_ps(x[b >> 32], x[(uint32_t)b], x[a >> 32], x[(uint32_t)a]);
}
]=] },
            f64 = { helper = [=[
/* x at 4 columns, which are read two by two: cores have few units that load, and x takes one a lane. */
static inline __m256d v_collect_4(const double *x, const int32_t *col)
{
    uint64_t a, b;
    memcpy(&a, col, sizeof a);
    memcpy(&b, col + 2, sizeof b);
    return _mm256_set_pd(x[b >> 32], x[(uint32_t)b], x[a >> 32], x[(uint32_t)a]);
}
]=] },
        },
        v_collect16_4 = {
            f32 = { helper = [=[
/* x at 4 columns of 16 bits, which are read at once. */
static inline __m128 v_collect16_4(const float *x, const uint16_t *col)
{
    uint64_t a;
    memcpy(&a, col, sizeof a);
    return _mm_set_ps(x[a >> 48], x[(uint16_t)(a >> 32)], x[(uint32_t)a >> 16], x[(uint16_t)a]);
}
]=] },
            f64 = { helper = [=[
/* x at 4 columns of 16 bits, which are read at once. */
static inline __m256d v_collect16_4(const double *x, const uint16_t *col)
{
    uint64_t a;
    memcpy(&a, col, sizeof a);
    return _mm256_set_pd(x[a >> 48], x[(uint16_t)(a >> 32)], x[(uint32_t)a >> 16], x[(uint16_t)a]);
}
]=] },
        },

        v_gather16 = {
            f32 = { helper = [=[
/* x at 16 columns of 16 bits, by the gather instruction. */
static inline __m512 v_gather16(const float *x, const uint16_t *col)
{
    return _mm512_i32gather_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)col)), x, 4);
}
]=] },
            f64 = { helper = [=[
/* x at 8 columns of 16 bits, by the gather instruction. */
static inline __m512d v_gather16(const double *x, const uint16_t *col)
{
    return _mm512_i32gather_pd(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)col)), x, 8);
}
]=] },
        },

        v_collect16 = {
            f32 = { needs = { "v_collect16_4" }, helper = [=[
/* x at 16 columns of 16 bits, by one load a lane. */
static inline __m512 v_collect16(const float *x, const uint16_t *col)
{
    const __m256 a = _mm256_castps128_ps256(v_collect16_4(x, col));
    const __m256 c = _mm256_castps128_ps256(v_collect16_4(x, col + 8));
    const __m256 low = _mm256_insertf128_ps(a, v_collect16_4(x, col + 4), 1);
    const __m256 high = _mm256_insertf128_ps(c, v_collect16_4(x, col + 12), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}
]=] },
            f64 = { needs = { "v_collect16_4" }, helper = [=[
/* x at 8 columns of 16 bits, by one load a lane. */
static inline __m512d v_collect16(const double *x, const uint16_t *col)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(v_collect16_4(x, col)), v_collect16_4(x, col + 4), 1);
}
]=] },
        },

        v_load_runs = {
            f32 = { helper = [=[
/* Runs of 4 values, from four places. */
static inline __m512 v_load_runs(const float *x, const uint16_t *place)
{
    const __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(x + place[0]));
    const __m256 high = _mm256_castps128_ps256(_mm_loadu_ps(x + place[2]));
    const __m256 a = _mm256_insertf128_ps(low, _mm_loadu_ps(x + place[1]), 1);
    const __m256 b = _mm256_insertf128_ps(high, _mm_loadu_ps(x + place[3]), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(a), b, 1);
}
]=] },
            f64 = { helper = [=[
/* Runs of 4 values, from two places. */
static inline __m512d v_load_runs(const double *x, const uint16_t *place)
{
    const __m512d low = _mm512_castpd256_pd512(_mm256_loadu_pd(x + place[0]));
    return _mm512_insertf64x4(low, _mm256_loadu_pd(x + place[1]), 1);
}
]=] },
        },
        v_distribute = {
            f32 = { needs = { "v_distribute_4" }, helper = [=[
/* p[index[i]] = lane i, by one store a lane. */
static inline void v_distribute(float *p, const int32_t *index, __m512 a)
{
    v_distribute_4(p, index, _mm512_castps512_ps128(a));
    v_distribute_4(p, index + 4, _mm512_extractf32x4_ps(a, 1));
    v_distribute_4(p, index + 8, _mm512_extractf32x4_ps(a, 2));
    v_distribute_4(p, index + 12, _mm512_extractf32x4_ps(a, 3));
}
]=] },
            f64 = { helper = [=[
/* p[index[i]] = lane i, by one store a lane. */
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
]=] },
        },

        v_distribute_4 = {
            f32 = { helper = [=[
/* p[index[i]] = lane i, of 4. */
static inline void v_distribute_4(float *p, const int32_t *index, __m128 a)
{
    _mm_store_ss(p + index[0], a);
    _mm_store_ss(p + index[1], _mm_movehdup_ps(a));
    _mm_store_ss(p + index[2], _mm_unpackhi_ps(a, a));
    _mm_store_ss(p + index[3], _mm_shuffle_ps(a, a, 3));
}
]=] },
        },

        v_load_first = {
            f32 = { helper = [=[
/* n < 16 values, zeros above; the memory above is not touched. */
static inline __m512 v_load_first(const float *p, int32_t n)
{
    return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
}
]=] },
            f64 = { helper = [=[
/* n < 8 values, zeros above; the memory above is not touched. */
static inline __m512d v_load_first(const double *p, int32_t n)
{
    return _mm512_maskz_loadu_pd((__mmask8)((1u << n) - 1), p);
}
]=] },
        },

        v_first = {
            f32 = "_mm512_maskz_mov_ps((__mmask16)((1u << ($2)) - 1), $1)",
            f64 = "_mm512_maskz_mov_pd((__mmask8)((1u << ($2)) - 1), $1)",
        },

        v_collect_first = {
            f32 = { helper = [=[
/* x at n < 16 columns, zeros above; the columns above are not read. */
static inline __m512 v_collect_first(const float *x, const int32_t *col, int32_t n)
{
    const __mmask16 m = (__mmask16)((1u << n) - 1);
    return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), m, _mm512_maskz_loadu_epi32(m, col), x, 4);
}
]=] },
            f64 = { helper = [=[
/* x at n < 8 columns, zeros above; the columns above are not read. */
static inline __m512d v_collect_first(const double *x, const int32_t *col, int32_t n)
{
    const __mmask8 m = (__mmask8)((1u << n) - 1);
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), m, _mm256_maskz_loadu_epi32(m, col), x, 8);
}
]=] },
        },

        vindex = { f32 = "__m512i", f64 = "__m256i" },
        i_high_bits = {
            f32 = "_mm512_srl_epi32(_mm512_loadu_si512($1), _mm_cvtsi32_si128($2))",
            f64 = "_mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)($1)), _mm_cvtsi32_si128($2))",
        },
        i_from = {
            f32 = { helper = [=[
/* first, first + 1, first + 2, ... */
static inline __m512i i_from(int32_t first)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_add_epi32(_mm512_set1_epi32(first), lane);
}
]=] },
            f64 = { helper = [=[
/* first, first + 1, first + 2, ... */
static inline __m256i i_from(int32_t first)
{
    return _mm256_add_epi32(_mm256_set1_epi32(first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
]=] },
        },
        i_last = {
            f32 = "_mm_extract_epi32(_mm512_extracti32x4_epi32($1, 3), 3)",
            f64 = "_mm256_extract_epi32($1, 7)",
        },
        i_select = {
            f32 = "_mm512_mask_blend_epi32($1, $3, $2)",
            f64 = "_mm256_mask_blend_epi32($1, $3, $2)",
        },
        i_increment = {
            f32 = "_mm512_mask_add_epi32($2, $1, $2, _mm512_set1_epi32(1))",
            f64 = "_mm256_mask_add_epi32($2, $1, $2, _mm256_set1_epi32(1))",
        },
        v_scatter = {
            f32 = { helper = [=[
/* p[index] = value in each lane. */
static inline void v_scatter(float *p, __m512i index, __m512 a)
{
    _mm512_i32scatter_ps(p, index, a, 4);
}
]=] },
            f64 = { helper = [=[
/* p[index] = value in each lane. */
static inline void v_scatter(double *p, __m256i index, __m512d a)
{
    _mm512_i32scatter_pd(p, index, a, 8);
}
]=] },
        },

        vmask = { f32 = "__mmask16", f64 = "__mmask8" },
        m_bits = "(uint32_t)($1)",
        m_test_bit = {
            f32 = { helper = [=[
/* The lanes whose word has the bit set. */
static inline __mmask16 m_test_bit(const uint32_t *word, int32_t bit)
{
    return _mm512_test_epi32_mask(_mm512_loadu_si512(word), _mm512_set1_epi32((int)(1u << bit)));
}
]=] },
            f64 = { helper = [=[
/* The lanes whose word has the bit set. */
static inline __mmask8 m_test_bit(const uint32_t *word, int32_t bit)
{
    return _mm256_test_epi32_mask(_mm256_loadu_si256((const __m256i *)word),
                                  _mm256_set1_epi32((int)(1u << bit)));
}
]=] },
        },
        m_from_bits = { f32 = "(__mmask16)($1)", f64 = "(__mmask8)($1)" },
        v_fma_where = {
            f32 = "_mm512_mask3_fmadd_ps($2, $3, $4, $1)",
            f64 = "_mm512_mask3_fmadd_pd($2, $3, $4, $1)",
        },
        v_expand = {
            f32 = { helper = [=[
/* One value after the other from p on, to the lanes whose bit is set. Loaded first: expanding from
 * memory is microcode on Zen 4 and 5, which is why the compiler must not put both together. */
static inline __m512 v_expand(const float *p, uint32_t bits)
{
    __m512 packed = _mm512_loadu_ps(p);
    __asm__("" : "+v"(packed));
    return _mm512_maskz_expand_ps((__mmask16)bits, packed);
}
]=] },
            f64 = { helper = [=[
/* One value after the other from p on, to the lanes whose bit is set. Loaded first: expanding from
 * memory is microcode on Zen 4 and 5, which is why the compiler must not put both together. */
static inline __m512d v_expand(const double *p, uint32_t bits)
{
    __m512d packed = _mm512_loadu_pd(p);
    __asm__("" : "+v"(packed));
    return _mm512_maskz_expand_pd((__mmask8)bits, packed);
}
]=] },
        },
        v_expand_by_table = {
            f32 = { needs = { "spmv_expand_8" }, helper = [=[
/* As v_expand, eight lanes at a time. */
static inline __m512 v_expand_by_table(const float *p, uint32_t bits)
{
    const uint32_t low = bits & 255;
    const __m256i first = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(spmv_expand_8 + low)));
    const __m256i second = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(spmv_expand_8 + (bits >> 8))));
    const __m256 from_second = _mm256_loadu_ps(p + __builtin_popcount(low));

    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_permutevar8x32_ps(_mm256_loadu_ps(p), first)),
                              _mm256_permutevar8x32_ps(from_second, second), 1);
}
]=] },
            f64 = { needs = { "spmv_expand_8" }, helper = [=[
/* As v_expand. */
static inline __m512d v_expand_by_table(const double *p, uint32_t bits)
{
    const __m128i places = _mm_loadl_epi64((const __m128i *)(spmv_expand_8 + bits));

    return _mm512_permutexvar_pd(_mm512_cvtepu8_epi64(places), _mm512_loadu_pd(p));
}
]=] },
        },
        spmv_expand_8 = { helper = expand_table() },
        v_select = { f32 = "_mm512_mask_blend_ps($1, $3, $2)", f64 = "_mm512_mask_blend_pd($1, $3, $2)" },
    },
}
