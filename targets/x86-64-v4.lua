-- x86-64-v4.lua: x86 CPUs with AVX-512 F, VL, DQ and BW, since 2017 (Intel Skylake-X) and 2022 (AMD Zen 4).

description = "x86-64-v4: AVX-512"
aliases = "skylake-avx512 cascadelake icelake-server icelake avx512"  -- GCC's, and everyday
backend = "c"
isa = "avx512"                          -- x86-64 psABI, table of levels
simd_bits = 512                         -- one AVX-512 register
fast_gather = false                     -- measured on Zen 5, f64, x in L1: 2.2 Gelem/s by vgather, 5.3 by loads and inserts
rank = 3
host_candidate = true
