-- generic-c.lua: any CPU with a C11 compiler. No intrinsics and no instruction beyond the baseline.

description = "any CPU, plain C"
backend = "c"
isa = "scalar"                          -- vector words are the prelude's loops
simd_bits = 256                         -- chosen here: 4 lanes of f64, 8 of f32; compilers turn such loops
                                        -- into one register of AVX2 or two of SSE2 and NEON
rank = 0
host_candidate = true
