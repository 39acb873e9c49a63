-- generic-c.lua: any CPU with a C11 compiler. No intrinsics and no instruction beyond the baseline.

description = "any CPU, plain C"
backend = "c"
isa = "scalar"                          -- vector words are the prelude's loops
simd_bits = 256                         -- chosen here: 4 lanes of f64, 8 of f32: compilers use
                                        -- one register of AVX2, two of SSE2 or NEON
rank = 0
host_candidate = true
