-- zen4.lua: AMD's CPUs since Zen 4 (2022). Unlike x86-64-v4, strips prefetch into L2, for which a
-- core can have more lines in flight than for L1, and expand values by a table.
--
-- Measured on two cores of a Zen 4 EPYC (1 MB of L2 per core, 32 MB of L3), strips, f64. Figures
-- for f32 are in docs/experiments.md. Zen 5 gets the same values and was not measured.

inherit "x86-64-v4"
description = "AMD since Zen 4: AVX-512, prefetches into L2"
aliases = "znver4 zen5 znver5"          -- GCC's and common names
strips.fetch_ahead = 8192               -- pwtk GFlop/s: 8.9 (4096), 11.4, 11.8 (16384)
strips.prefetch_level = "second"        -- pwtk 5.8 to 11.4 GFlop/s, cant 7.4 to 11.9
x_ahead = 128                           -- FullChip 1.9x, half-empty 1.4x; 96 to 256 alike
strips.expand_with_table = "yes"        -- QCD 11.5 to 17.9, cant 12.1 to 14.9, pwtk 9.9 to 9.3
cpu_flags = "sse4a clwb"                -- AMD's CPUs since Zen 2
usable = "x86_has(X86_SSE4A | X86_CLWB)"         -- the same flags
rank = 4
host_candidate = true
