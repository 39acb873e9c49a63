-- sapphire-rapids.lua: Intel's server CPUs since Sapphire Rapids (2023): x86-64-v4 with the gather
-- instruction. It is slow on AMD's CPUs with AVX-512, and on Intel's older ones with the microcode
-- against gather data sampling (CVE-2022-40982), which these do not need.

inherit "x86-64-v4"
description = "Intel Xeon since Sapphire Rapids: AVX-512, fast gather"
aliases = "sapphirerapids emeraldrapids graniterapids"  -- GCC's, and everyday
fast_gather = true                      -- measured: FullChip 1.30 to 1.70 GFlop/s
cpu_flags = "avx512_bf16 avx512_fp16"   -- the first CPUs with both
usable = '__builtin_cpu_is("intel") && ' ..  -- words that GCC 12 and Clang 14 know, too
         '__builtin_cpu_supports("avx512bf16") && !__builtin_cpu_is("cooperlake")'
rank = 4
host_candidate = true
