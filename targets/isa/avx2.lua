-- avx2.lua: x86 with AVX2, FMA and BMI (x86-64-v3): 256-bit vectors.
--
-- A pragma gives all functions a target attribute, so that a file compiles without -m options and may stand
-- in one program with other instruction sets.

-- A number of 64 bits as C has it.
local function hexadecimal(number)
    local digits = { [0] = "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f" }
    local text = "0x"
    for shift = 60, 0, -4 do
        text = text .. digits[number >> shift & 15]
    end
    return text
end

-- The table of v_expand and m_from_bits, for so many lanes.
local function expand_table(lanes, comment)
    local words = 8 // lanes            -- of 32 bits, in a lane
    local text = comment .. "static const uint64_t spmv_expand[" .. (1 << lanes) .. "] = {"
    for bits = 0, (1 << lanes) - 1 do
        local entry, below = 0, 0
        for lane = 0, lanes - 1 do
            local is_set = bits >> lane & 1
            for word = 0, words - 1 do
                local byte = is_set << 7 | (below * words + word) % 8
                entry = entry | byte << 8 * (lane * words + word)
            end
            below = below + is_set
        end
        text = text .. (bits % 4 == 0 and "\n    " or " ") .. hexadecimal(entry) .. ","
    end
    return text .. "\n};\n"
end

return {
    name = "avx2",
    usable = '__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && ' ..
             '__builtin_cpu_supports("bmi")',
    cpu_flags = { "avx2", "fma", "bmi1" },
    fixed = { LANES = { f32 = 8, f64 = 4 } },

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
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi")
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
        u32_popcount = "__builtin_popcount($1)",

        vreal = { f32 = "__m256", f64 = "__m256d" },
        v_zero = { f32 = "_mm256_setzero_ps()", f64 = "_mm256_setzero_pd()" },
        v_load = { f32 = "_mm256_loadu_ps($1)", f64 = "_mm256_loadu_pd($1)" },
        v_store = { f32 = "_mm256_storeu_ps($1, $2)", f64 = "_mm256_storeu_pd($1, $2)" },
        v_add = { f32 = "_mm256_add_ps($1, $2)", f64 = "_mm256_add_pd($1, $2)" },
        v_all = { f32 = "_mm256_set1_ps($1)", f64 = "_mm256_set1_pd($1)" },
        v_mul = { f32 = "_mm256_mul_ps($1, $2)", f64 = "_mm256_mul_pd($1, $2)" },
        v_fma = { f32 = "_mm256_fmadd_ps($1, $2, $3)", f64 = "_mm256_fmadd_pd($1, $2, $3)" },

        v_sum = {
            f32 = { helper = [=[
/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline float v_sum(__m256 a)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}
]=] },
            f64 = { helper = [=[
/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
static inline double v_sum(__m256d a)
{
    const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}
]=] },
        },

        v_sums = {
            f32 = { needs = { "v_fold_halves" }, helper = [=[
/* v_sum of 8 vectors, that of v[i] in lane i. Each step adds the upper half of a vector's part to
 * the lower half, as v_sum does, and puts the halves of two vectors side by side. */
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
]=] },
            f64 = { needs = { "v_fold_halves" }, helper = [=[
/* v_sum of 4 vectors, that of v[i] in lane i. Each step adds the upper half of a vector's part to
 * the lower half, as v_sum does, and puts the halves of two vectors side by side. */
static inline __m256d v_sums(const __m256d *v)
{
    const __m256d even = v_fold_halves(v[0], v[2]);
    const __m256d odd = v_fold_halves(v[1], v[3]);
    return _mm256_add_pd(_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd));
}
]=] },
        },
        v_fold_halves = {
            f32 = { helper = [=[
/* The halves of a added, then those of b. */
static inline __m256 v_fold_halves(__m256 a, __m256 b)
{
    return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}
]=] },
            f64 = { helper = [=[
/* The halves of a added, then those of b. */
static inline __m256d v_fold_halves(__m256d a, __m256d b)
{
    return _mm256_add_pd(_mm256_permute2f128_pd(a, b, 0x20), _mm256_permute2f128_pd(a, b, 0x31));
}
]=] },
        },

        v_transpose = {
            f32 = { helper = [=[
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
]=] },
            f64 = { helper = [=[
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
]=] },
        },

        v_gather = {
            f32 = { helper = [=[
/* x at 8 columns, by the gather instruction. */
static inline __m256 v_gather(const float *x, const int32_t *col)
{
    return _mm256_i32gather_ps(x, _mm256_loadu_si256((const __m256i *)col), 4);
}
]=] },
            f64 = { helper = [=[
/* x at 4 columns, by the gather instruction. */
static inline __m256d v_gather(const double *x, const int32_t *col)
{
    return _mm256_i32gather_pd(x, _mm_loadu_si128((const __m128i *)col), 8);
}
]=] },
        },

        v_collect = {
            f32 = { needs = { "v_collect_4" }, helper = [=[
/* x at 8 columns, by one load a lane: quicker than the gather instruction on many CPUs. */
static inline __m256 v_collect(const float *x, const int32_t *col)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(v_collect_4(x, col)), v_collect_4(x, col + 4), 1);
}
]=] },
            f64 = { helper = [=[
/* x at 4 columns, by one load a lane: quicker than the gather instruction on many CPUs. Columns are read two by two:
 * cores have few units that load, and x takes one a lane. */
static inline __m256d v_collect(const double *x, const int32_t *col)
{
    uint64_t a, b;
    memcpy(&a, col, sizeof a);
    memcpy(&b, col + 2, sizeof b);
    return _mm256_set_pd(x[b >> 32], x[(uint32_t)b], x[a >> 32], x[(uint32_t)a]);
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
        },

        v_gather16 = {
            f32 = { helper = [=[
/* x at 8 columns of 16 bits, by the gather instruction. */
static inline __m256 v_gather16(const float *x, const uint16_t *col)
{
    return _mm256_i32gather_ps(x, _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)col)), 4);
}
]=] },
            f64 = { helper = [=[
/* x at 4 columns of 16 bits, by the gather instruction. */
static inline __m256d v_gather16(const double *x, const uint16_t *col)
{
    return _mm256_i32gather_pd(x, _mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)col)), 8);
}
]=] },
        },

        v_collect16 = {
            f32 = { needs = { "v_collect16_4" }, helper = [=[
/* x at 8 columns of 16 bits, by one load a lane. */
static inline __m256 v_collect16(const float *x, const uint16_t *col)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(v_collect16_4(x, col)), v_collect16_4(x, col + 4), 1);
}
]=] },
            f64 = { helper = [=[
/* x at 4 columns of 16 bits, which are read at once, by one load a lane. */
static inline __m256d v_collect16(const double *x, const uint16_t *col)
{
    uint64_t a;
    memcpy(&a, col, sizeof a);
    return _mm256_set_pd(x[a >> 48], x[(uint16_t)(a >> 32)], x[(uint32_t)a >> 16], x[(uint16_t)a]);
}
]=] },
        },

        v_load_runs = {
            f32 = { helper = [=[
/* Runs of 4 values, from two places. */
static inline __m256 v_load_runs(const float *x, const uint16_t *place)
{
    const __m256 low = _mm256_castps128_ps256(_mm_loadu_ps(x + place[0]));
    return _mm256_insertf128_ps(low, _mm_loadu_ps(x + place[1]), 1);
}
]=] },
            f64 = "_mm256_loadu_pd($1 + *($2))",
        },
        v_distribute = {
            f32 = { helper = [=[
/* p[index[i]] = lane i, by one store a lane. */
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
]=] },
            f64 = { helper = [=[
/* p[index[i]] = lane i, by one store a lane. */
static inline void v_distribute(double *p, const int32_t *index, __m256d a)
{
    const __m128d low = _mm256_castpd256_pd128(a);
    const __m128d high = _mm256_extractf128_pd(a, 1);
    _mm_storel_pd(p + index[0], low);
    _mm_storeh_pd(p + index[1], low);
    _mm_storel_pd(p + index[2], high);
    _mm_storeh_pd(p + index[3], high);
}
]=] },
        },

        m_first = {
            f32 = { helper = [=[
/* The lanes below n. */
static inline __m256i m_first(int32_t n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
]=] },
            f64 = { helper = [=[
/* The lanes below n. */
static inline __m256i m_first(int32_t n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
]=] },
        },

        v_load_first = {
            f32 = { needs = { "m_first" }, helper = [=[
/* n < 8 values, zeros above; the memory above is not touched. */
static inline __m256 v_load_first(const float *p, int32_t n)
{
    return _mm256_maskload_ps(p, m_first(n));
}
]=] },
            f64 = { needs = { "m_first" }, helper = [=[
/* n < 4 values, zeros above; the memory above is not touched. */
static inline __m256d v_load_first(const double *p, int32_t n)
{
    return _mm256_maskload_pd(p, m_first(n));
}
]=] },
        },

        v_first = {
            f32 = { needs = { "m_first" }, helper = [=[
/* a in the lanes below n, zeros above. */
static inline __m256 v_first(__m256 a, int32_t n)
{
    return _mm256_and_ps(a, _mm256_castsi256_ps(m_first(n)));
}
]=] },
            f64 = { needs = { "m_first" }, helper = [=[
/* a in the lanes below n, zeros above. */
static inline __m256d v_first(__m256d a, int32_t n)
{
    return _mm256_and_pd(a, _mm256_castsi256_pd(m_first(n)));
}
]=] },
        },

        v_collect_first = {
            f32 = { helper = [=[
/* x at n < 8 columns, zeros above; the columns above are not read. */
static inline __m256 v_collect_first(const float *x, const int32_t *col, int32_t n)
{
    float lane[8] = {0};
    for (int32_t i = 0; i < n; i++)
        lane[i] = x[col[i]];
    return _mm256_loadu_ps(lane);
}
]=] },
            f64 = { helper = [=[
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
]=] },
        },

        vindex = { f32 = "__m256i", f64 = "__m128i" },
        i_high_bits = {
            f32 = "_mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)($1)), _mm_cvtsi32_si128($2))",
            f64 = "_mm_srl_epi32(_mm_loadu_si128((const __m128i *)($1)), _mm_cvtsi32_si128($2))",
        },
        i_from = {
            f32 = "_mm256_add_epi32(_mm256_set1_epi32($1), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))",
            f64 = "_mm_add_epi32(_mm_set1_epi32($1), _mm_setr_epi32(0, 1, 2, 3))",
        },
        i_last = { f32 = "_mm256_extract_epi32($1, 7)", f64 = "_mm_extract_epi32($1, 3)" },
        i_select = {
            f32 = { helper = [=[
/* a where the mask is set, b elsewhere. */
static inline __m256i i_select(__m256 m, __m256i a, __m256i b)
{
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(b), _mm256_castsi256_ps(a), m));
}
]=] },
            f64 = { needs = { "m_words" }, helper = [=[
/* a where the mask is set, b elsewhere. */
static inline __m128i i_select(__m256d m, __m128i a, __m128i b)
{
    return _mm_blendv_epi8(b, a, m_words(m));
}
]=] },
        },
        i_increment = {
            f32 = { helper = [=[
/* a + 1 where the mask is set: its sign, shifted down over the whole lane, is -1. */
static inline __m256i i_increment(__m256 m, __m256i a)
{
    return _mm256_sub_epi32(a, _mm256_srai_epi32(_mm256_castps_si256(m), 31));
}
]=] },
            f64 = { needs = { "m_words" }, helper = [=[
/* a + 1 where the mask is set. */
static inline __m128i i_increment(__m256d m, __m128i a)
{
    return _mm_sub_epi32(a, m_words(m));
}
]=] },
        },
        m_words = {
            f64 = { helper = [=[
/* The mask of 64-bit lanes as one of 32-bit lanes: -1 where it is set. */
static inline __m128i m_words(__m256d m)
{
    const __m128 low = _mm_castpd_ps(_mm256_castpd256_pd128(m));
    const __m128 high = _mm_castpd_ps(_mm256_extractf128_pd(m, 1));
    return _mm_srai_epi32(_mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1))), 31);
}
]=] },
        },
        v_scatter = {
            f32 = { helper = [=[
/* p[index] = value, by one store a lane: there is no scatter instruction. */
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
]=] },
            f64 = { helper = [=[
/* p[index] = value, by one store a lane: there is no scatter instruction. */
static inline void v_scatter(double *p, __m128i index, __m256d a)
{
    const __m128d low = _mm256_castpd256_pd128(a);
    const __m128d high = _mm256_extractf128_pd(a, 1);
    _mm_storel_pd(p + _mm_cvtsi128_si32(index), low);
    _mm_storeh_pd(p + _mm_extract_epi32(index, 1), low);
    _mm_storel_pd(p + _mm_extract_epi32(index, 2), high);
    _mm_storeh_pd(p + _mm_extract_epi32(index, 3), high);
}
]=] },
        },

        vmask = { f32 = "__m256", f64 = "__m256d" },
        m_bits = { f32 = "(uint32_t)_mm256_movemask_ps($1)", f64 = "(uint32_t)_mm256_movemask_pd($1)" },
        m_test_bit = {
            f32 = { helper = [=[
/* The lanes whose word has the bit set: the bit is moved to the sign, which is what the mask
 * instructions look at. */
static inline __m256 m_test_bit(const uint32_t *word, int32_t bit)
{
    const __m256i words = _mm256_loadu_si256((const __m256i *)word);
    return _mm256_castsi256_ps(_mm256_sll_epi32(words, _mm_cvtsi32_si128(31 - bit)));
}
]=] },
            f64 = { helper = [=[
/* The lanes whose word has the bit set: the bit is moved to the sign, which is what the mask
 * instructions look at. */
static inline __m256d m_test_bit(const uint32_t *word, int32_t bit)
{
    const __m128i words = _mm_loadu_si128((const __m128i *)word);
    const __m128i sign = _mm_sll_epi32(words, _mm_cvtsi32_si128(31 - bit));
    return _mm256_castsi256_pd(_mm256_cvtepi32_epi64(sign));
}
]=] },
        },
        m_from_bits = {
            f32 = { needs = { "spmv_expansion" }, helper = [=[
/* The lanes whose bit is set: all bits of them. */
static inline __m256 m_from_bits(uint32_t bits)
{
    return _mm256_castsi256_ps(_mm256_srai_epi32(spmv_expansion(bits), 31));
}
]=] },
            f64 = { needs = { "spmv_expansion" }, helper = [=[
/* The lanes whose bit is set: all bits of them. */
static inline __m256d m_from_bits(uint32_t bits)
{
    return _mm256_castsi256_pd(_mm256_srai_epi32(spmv_expansion(bits), 31));
}
]=] },
        },
        v_expand = {
            f32 = { needs = { "spmv_expansion" }, helper = [=[
/* One value after the other from p on, to the lanes whose bit is set. */
static inline __m256 v_expand(const float *p, uint32_t bits)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(p), spmv_expansion(bits));
}
]=] },
            f64 = { needs = { "spmv_expansion" }, helper = [=[
/* One value after the other from p on, to the lanes whose bit is set. */
static inline __m256d v_expand(const double *p, uint32_t bits)
{
    const __m256i halves = _mm256_loadu_si256((const __m256i *)p);
    return _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(halves, spmv_expansion(bits)));
}
]=] },
        },
        v_fma_where = {
            f32 = { needs = { "m_from_bits" }, helper = [=[
/* a*b + c where the mask is set, c elsewhere: there -(0*0) is added, which is -0 and leaves any c as it is. Two ands
 * before cost less than a select after. */
static inline __m256 v_fma_where(__m256 m, __m256 a, __m256 b, __m256 c)
{
    const __m256 minus_b = _mm256_xor_ps(b, _mm256_set1_ps(-0.0f));
    return _mm256_fnmadd_ps(_mm256_and_ps(m, a), _mm256_and_ps(m, minus_b), c);
}
]=] },
            f64 = { needs = { "m_from_bits" }, helper = [=[
/* a*b + c where the mask is set, c elsewhere: there -(0*0) is added, which is -0 and leaves any c as it is. Two ands
 * before cost less than a select after. */
static inline __m256d v_fma_where(__m256d m, __m256d a, __m256d b, __m256d c)
{
    const __m256d minus_b = _mm256_xor_pd(b, _mm256_set1_pd(-0.0));
    return _mm256_fnmadd_pd(_mm256_and_pd(m, a), _mm256_and_pd(m, minus_b), c);
}
]=] },
        },
        spmv_expansion = {
            f32 = { needs = { "spmv_expand" }, helper = [=[
/* The bytes of the table as lanes: where values come from, and the sign of lanes that are set. */
static inline __m256i spmv_expansion(uint32_t bits)
{
    return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(spmv_expand + bits)));
}
]=] },
            f64 = { needs = { "spmv_expand" }, helper = [=[
/* The bytes of the table as halves of lanes: where values come from, and the sign of lanes that are set. */
static inline __m256i spmv_expansion(uint32_t bits)
{
    return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(spmv_expand + bits)));
}
]=] },
        },
        spmv_expand = {
            f32 = { helper = expand_table(8, [=[
/* For each 8 bits a byte for each lane, the lowest first. A lane takes the value whose number is that of the bits
 * below its own; the sign says whether its own is set. */
]=]) },
            f64 = { helper = expand_table(4, [=[
/* For each 4 bits a byte for each half of a lane, the lowest first. A lane takes the value whose number is that of
 * the bits below its own: half of it each; the sign says whether its own is set. */
]=]) },
        },
        v_select = { f32 = "_mm256_blendv_ps($3, $2, $1)", f64 = "_mm256_blendv_pd($3, $2, $1)" },
    },
}
