-- x86-64-v2.lua: x86 CPUs since about 2009. The kernels are plain C; compile them with
-- -march=x86-64-v2 to use the instructions of the level.

inherit "generic-c"
description = "x86-64-v2: SSE4.2, plain C"
aliases = "nehalem westmere sandybridge ivybridge sse4.2 avx"  -- GCC's and common names
cpu_flags = "cx16 lahf_lm popcnt ssse3 sse4_1 sse4_2"   -- x86-64 psABI; Linux names
rank = 1
host_candidate = true
