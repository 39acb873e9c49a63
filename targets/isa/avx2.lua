-- avx2.lua: x86 with AVX2, FMA and BMI (x86-64-v3): 256-bit vectors.
--
-- A pragma gives all functions a target attribute, so that a file compiles without -m options and
-- links into one program with other instruction sets.

return {
    name = "avx2",
    inherits = "x86",
    usable = "x86_has(X86_AVX2 | X86_FMA | X86_BMI1)",
    cpu_flags = { "avx2", "fma", "bmi1" },
    fixed = { LANES = { f32 = 8, f64 = 4 }, TABLE_VALUES = { f32 = 8, f64 = 4 } },

    begin_functions = [[

/* Call the functions below only where module_usable reports that the CPU has these
 * instructions. */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi")
#endif
]],
    end_functions = [[
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

]],

    source = "avx2.c",
    words = {
        vreal = { f32 = "__m256", f64 = "__m256d" },
        v_zero = { f32 = "_mm256_setzero_ps()", f64 = "_mm256_setzero_pd()" },
        v_load = { f32 = "_mm256_loadu_ps($1)", f64 = "_mm256_loadu_pd($1)" },
        v_load_single = { f32 = "_mm256_loadu_ps($1)" },
        v_store = { f32 = "_mm256_storeu_ps($1, $2)", f64 = "_mm256_storeu_pd($1, $2)" },
        v_add = { f32 = "_mm256_add_ps($1, $2)", f64 = "_mm256_add_pd($1, $2)" },
        v_all = { f32 = "_mm256_set1_ps($1)", f64 = "_mm256_set1_pd($1)" },
        v_mul = { f32 = "_mm256_mul_ps($1, $2)", f64 = "_mm256_mul_pd($1, $2)" },
        v_fma = { f32 = "_mm256_fmadd_ps($1, $2, $3)", f64 = "_mm256_fmadd_pd($1, $2, $3)" },
        v_load_half = {
            f32 = "_mm256_castps128_ps256(_mm_loadu_ps($1))",
            f64 = "_mm256_castpd128_pd256(_mm_loadu_pd($1))",
        },

        vtable = { f32 = "__m256", f64 = "__m256i" },
        v_table = {
            f32 = "_mm256_loadu_ps($1)",
            f64 = "_mm256_loadu_si256((const __m256i *)($1))",
        },
        v_load_runs = { f64 = "_mm256_loadu_pd($1 + *($2))" },
        v_store_runs = { f64 = "_mm256_storeu_pd($1 + *($2), $3)" },
        vindex = { f32 = "__m256i", f64 = "__m128i" },
        i_high_bits = {
            f32 = "_mm256_srl_epi32(_mm256_loadu_si256((const __m256i *)($1)), " ..
                  "_mm_cvtsi32_si128($2))",
            f64 = "_mm_srl_epi32(_mm_loadu_si128((const __m128i *)($1)), _mm_cvtsi32_si128($2))",
        },
        i_from = {
            f32 = "_mm256_add_epi32(_mm256_set1_epi32($1), " ..
                  "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))",
            f64 = "_mm_add_epi32(_mm_set1_epi32($1), _mm_setr_epi32(0, 1, 2, 3))",
        },
        i_last = { f32 = "_mm256_extract_epi32($1, 7)", f64 = "_mm_extract_epi32($1, 3)" },
        vmask = { f32 = "__m256", f64 = "__m256d" },
        m_bits = {
            f32 = "(uint32_t)_mm256_movemask_ps($1)",
            f64 = "(uint32_t)_mm256_movemask_pd($1)",
        },
        v_select = { f32 = "_mm256_blendv_ps($3, $2, $1)", f64 = "_mm256_blendv_pd($3, $2, $1)" },
    },
}
