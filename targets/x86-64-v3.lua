-- x86-64-v3.lua: x86 CPUs with AVX2 and FMA, since 2013 (Intel Haswell) and 2015 (AMD Excavator).

description = "x86-64-v3: AVX2 and FMA"
aliases = "haswell broadwell skylake alderlake znver1 zen1 avx2"  -- GCC's and common names
backend = "c"
isa = "avx2"                            -- x86-64 psABI, table of levels
simd_bits = 256                         -- one AVX2 register
fast_gather = false                     -- measured on Zen 5: vgather is slower than loads
rank = 2
host_candidate = true
