-- avx512.lua: x86 with AVX-512 F, VL, DQ and BW (x86-64-v4): 512-bit vectors.
--
-- A pragma gives all functions a target attribute, so that a file compiles without -m options and
-- links into one program with other instruction sets.

return {
    name = "avx512",
    inherits = "x86",
    usable = "x86_has(X86_AVX512F | X86_AVX512VL | X86_AVX512DQ | X86_AVX512BW) && " ..
             "x86_has(X86_AVX2 | X86_FMA | X86_BMI1)",
    cpu_flags = { "avx512f", "avx512vl", "avx512dq", "avx512bw", "avx2", "fma", "bmi1" },
    fixed = { LANES = { f32 = 16, f64 = 8 }, TABLE_VALUES = { f32 = 32, f64 = 16 } },

    begin_functions = [[

/* Call the functions below only where module_usable reports that the CPU has these
 * instructions. */
#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,bmi"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,bmi")
#endif
]],
    end_functions = [[
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

]],

    source = "avx512.c",
    words = {
        u32_popcount = "__builtin_popcountll($1)",

        vreal = { f32 = "__m512", f64 = "__m512d" },
        v_zero = { f32 = "_mm512_setzero_ps()", f64 = "_mm512_setzero_pd()" },
        v_load = { f32 = "_mm512_loadu_ps($1)", f64 = "_mm512_loadu_pd($1)" },
        v_load_single = { f32 = "_mm512_loadu_ps($1)" },
        v_store = { f32 = "_mm512_storeu_ps($1, $2)", f64 = "_mm512_storeu_pd($1, $2)" },
        v_add = { f32 = "_mm512_add_ps($1, $2)", f64 = "_mm512_add_pd($1, $2)" },
        v_all = { f32 = "_mm512_set1_ps($1)", f64 = "_mm512_set1_pd($1)" },
        v_mul = { f32 = "_mm512_mul_ps($1, $2)", f64 = "_mm512_mul_pd($1, $2)" },
        v_fma = { f32 = "_mm512_fmadd_ps($1, $2, $3)", f64 = "_mm512_fmadd_pd($1, $2, $3)" },

        v_first = {
            f32 = "_mm512_maskz_mov_ps((__mmask16)((1u << ($2)) - 1), $1)",
            f64 = "_mm512_maskz_mov_pd((__mmask8)((1u << ($2)) - 1), $1)",
        },

        v_gather_half = {
            f32 = "_mm512_castps256_ps512(_mm256_i32gather_ps($1, " ..
                  "_mm256_loadu_si256((const __m256i *)($2)), 4))",
            f64 = "_mm512_castpd256_pd512(_mm256_i32gather_pd($1, " ..
                  "_mm_loadu_si128((const __m128i *)($2)), 8))",
        },
        v_gather16_half = {
            f32 = "_mm512_castps256_ps512(_mm256_i32gather_ps($1, " ..
                  "_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)($2))), 4))",
            f64 = "_mm512_castpd256_pd512(_mm256_i32gather_pd($1, " ..
                  "_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)($2))), 8))",
        },
        v_load_half = {
            f32 = "_mm512_castps256_ps512(_mm256_loadu_ps($1))",
            f64 = "_mm512_castpd256_pd512(_mm256_loadu_pd($1))",
        },

        vindex = { f32 = "__m512i", f64 = "__m256i" },
        i_high_bits = {
            f32 = "_mm512_srl_epi32(_mm512_loadu_si512($1), _mm_cvtsi32_si128($2))",
            f64 = "_mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)($1)), " ..
                  "_mm_cvtsi32_si128($2))",
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
        vmask = { f32 = "__mmask16", f64 = "__mmask8" },
        m_bits = "(uint32_t)($1)",
        m_from_bits = { f32 = "(__mmask16)($1)", f64 = "(__mmask8)($1)" },
        v_spread = {
            f32 = "_mm512_maskz_expand_ps((__mmask16)($2), $1)",
            f64 = "_mm512_maskz_expand_pd((__mmask8)($2), $1)",
        },
        v_fma_where = {
            f32 = "_mm512_mask3_fmadd_ps($2, $3, $4, $1)",
            f64 = "_mm512_mask3_fmadd_pd($2, $3, $4, $1)",
        },
        v_select = {
            f32 = "_mm512_mask_blend_ps($1, $3, $2)",
            f64 = "_mm512_mask_blend_pd($1, $3, $2)",
        },
    },
}
