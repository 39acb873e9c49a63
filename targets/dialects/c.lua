-- c.lua: C11 that is also C++, for CPUs. Vector words come from the instruction set's table, or
-- from the prelude.

return {
    name = "c",
    form = "simd",
    extension = "c",
    parse = { language = "c", args = { "-std=c11" } },
    prelude_bodies = true,
    bundle = {
        header = "runtime/bundle/kernels.h",
        implementation = "runtime/bundle/kernels.c",
        extension = "c",
        readme = "runtime/bundle/README.md",
        static_readme = "runtime/bundle/README_static.md",
    },

    preamble = [[
#include "spmv_module.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of additions below is part of the contract (same bits for any number of threads, and an
 * Inf or NaN stays in its row), and these options let a compiler change it. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile this file without -ffast-math, -fassociative-math and -ffinite-math-only"
#endif

/* Every operation is rounded to its own type. x87, and s390x by ISO C, keep more digits for as long
 * as a value stays in a register: bits would depend on the compiler. (16 is _Float16's alone.) */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "FLT_EVAL_METHOD must be 0: on x86 -msse2 -mfpmath=sse, elsewhere -fexcess-precision=fast"
#endif

/* a*b + c is rounded once where the text calls fma, twice elsewhere. clang, which has no macro for
 * -fassociative-math, also keeps the order of additions. Clang's -ffp-contract=fast overrides these
 * lines, and no macro reveals it: do not use it. */
#if defined(__clang__)
#pragma clang fp contract(off) reassociate(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

/* Members without an initializer are zero, as intended; C++ compilers warn about them. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
]],

    words = {
        KERNEL = "static",
        DEVICE = "static inline",
        INLINED = "SPMV_INLINED",
        HOST = "static inline",
        HOST_STEP = "static",
        GLOBAL = "",
        RESTRICT = "SPMV_RESTRICT",

        c8 = "char",
        u8 = "uint8_t",
        u16 = "uint16_t",
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
