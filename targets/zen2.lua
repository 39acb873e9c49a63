-- zen2.lua: AMD's CPUs since Zen 2 (2019) that have no AVX-512: as x86-64-v3, but strips fetch ahead as on zen4.
--
-- Measured on Zen 4, with AVX2 alone, strips, f64; older ones, with half as much L2, were not at hand.

inherit "x86-64-v3"
description = "AMD since Zen 2: AVX2, fetches into the second cache"
aliases = "znver2 zen3 znver3"          -- GCC's, and everyday
strips.fetch_ahead = 8192               -- as zen4
strips.prefetch_level = "second"        -- measured: pwtk 6.0 to 13.8 GFlop/s, pdb1HYS 11.8 to 15.7
x_ahead = 128                           -- measured: strips FullChip 1.1 to 2.2 GFlop/s, half-empty 1.7 to 2.6
cpu_flags = "sse4a clwb"                -- AMD's, since Zen 2
usable = '__builtin_cpu_is("amd") && !__builtin_cpu_is("amdfam15h") && ' ..  -- words that GCC 12 and Clang 14 know, too
         '!__builtin_cpu_is("znver1")'
rank = 3
host_candidate = true
