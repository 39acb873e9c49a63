-- zen2.lua: AMD's CPUs since Zen 2 (2019) without AVX-512: x86-64-v3 with the prefetches of zen4.
--
-- Measured on Zen 4 with AVX2 alone, strips, f64. Zen 2 and 3 have half as much L2; not measured.

inherit "x86-64-v3"
description = "AMD since Zen 2: AVX2, prefetches into L2"
aliases = "znver2 zen3 znver3"          -- GCC's and common names
strips.fetch_ahead = 8192               -- as zen4
strips.prefetch_level = "second"        -- measured: pwtk 6.0 to 13.8 GFlop/s, pdb1HYS 11.8 to 15.7
x_ahead = 128                           -- measured: FullChip 1.1 to 2.2 GFlop/s
cpu_flags = "sse4a clwb"                -- AMD's CPUs since Zen 2
usable = "x86_has(X86_SSE4A | X86_CLWB)"         -- the same flags
rank = 3
host_candidate = true
