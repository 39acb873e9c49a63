-- sapphire-rapids.lua: Intel's server CPUs since Sapphire Rapids (2023): x86-64-v4 with the gather
-- instruction. The instruction is slow on AMD's CPUs with AVX-512, and on older CPUs of Intel with
-- the microcode fix of gather data sampling (CVE-2022-40982). These CPUs do not need the fix.

inherit "x86-64-v4"
description = "Intel Xeon since Sapphire Rapids: AVX-512, fast gather"
aliases = "sapphirerapids emeraldrapids graniterapids"  -- GCC's and common names
fast_gather = true                      -- measured: FullChip 1.30 to 1.70 GFlop/s
cpu_flags = "avx512_bf16 avx512_fp16"   -- the first CPUs with both
usable = '__builtin_cpu_is("intel") && ' ..  -- names that GCC 12 and Clang 14 know too
         '__builtin_cpu_supports("avx512bf16") && !__builtin_cpu_is("cooperlake")'
rank = 4
host_candidate = true
