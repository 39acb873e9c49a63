-- x86-64-v4.lua: x86 CPUs with AVX-512 F, VL, DQ and BW: Intel since 2017, AMD since 2022 (Zen 4).

description = "x86-64-v4: AVX-512"
aliases = "skylake-avx512 cascadelake icelake-server icelake avx512"  -- GCC's and common names
backend = "c"
isa = "avx512"                          -- x86-64 psABI, table of levels
simd_bits = 512                         -- one AVX-512 register
fast_gather = false                     -- Zen 5, f64, x in L1: vgather 2.2 Gelem/s, loads 5.3
rank = 3
host_candidate = true
