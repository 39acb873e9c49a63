-- c.lua: C11, for CPUs. Vector words come from the instruction set's table, or from the prelude.

return {
    name = "c",
    form = "simd",
    extension = "c",
    parse = { language = "c", args = { "-std=c11" } },
    prelude_bodies = true,

    preamble = [[
#include "spmv_module.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of additions below is part of the contract (same bits for any number of threads, and an
 * Inf or NaN stays in its row), and these options let a compiler change it. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile this file without -ffast-math, -fassociative-math and -ffinite-math-only"
#endif

/* a*b + c is rounded once where the text says fma, twice elsewhere, never as a compiler likes; and
 * clang, which has no macro for -fassociative-math, keeps the order of additions. */
#if defined(__clang__)
#pragma clang fp contract(off) reassociate(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
]],

    words = {
        KERNEL = "static",
        DEVICE = "static inline",
        HOST = "static inline",
        RESTRICT = "restrict",

        c8 = "char",
        u8 = "uint8_t",
        i32 = "int32_t",
        u32 = "uint32_t",
        i64 = "int64_t",
        u64 = "uint64_t",
        usize = "size_t",
        uptr = "uintptr_t",
        f32 = "float",
        f64 = "double",
    },
}
