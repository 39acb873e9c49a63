-- sapphire-rapids.lua: Intel's server CPUs since Sapphire Rapids (2023): x86-64-v4 with the gather
-- instruction. The instruction is slow on AMD's CPUs with AVX-512, and on older CPUs of Intel with
-- the microcode fix of gather data sampling (CVE-2022-40982). These CPUs do not need the fix.

inherit "x86-64-v4"
description = "Intel Xeon since Sapphire Rapids: AVX-512, fast gather"
aliases = "sapphirerapids emeraldrapids graniterapids"  -- GCC's and common names
fast_gather = true                      -- measured: FullChip 1.30 to 1.70 GFlop/s
cpu_flags = "avx512_bf16 avx512_fp16"   -- the first CPUs with both
usable = "x86_has(X86_AVX512_BF16 | X86_AVX512_FP16) && " ..   -- the same flags, and not AMD
         "!x86_has(X86_SSE4A)"
rank = 4
host_candidate = true
