-- zen4.lua: AMD's CPUs since Zen 4 (2022): as x86-64-v4, but strips fetch ahead into the second cache, for which a core
-- waits for more lines at once than for the first one, and expand values by a table.
--
-- Measured on two cores of an EPYC of Zen 4 (1 MB of L2 a core, 32 MB of L3), strips, f64;
-- docs/experiments/ has f32 and more matrices. Zen 5, which gets the same page, was not at hand.

inherit "x86-64-v4"
description = "AMD since Zen 4: AVX-512, fetches into the second cache"
aliases = "znver4 zen5 znver5"          -- GCC's, and everyday
strips.fetch_ahead = 8192               -- measured: pwtk 8.9 GFlop/s with 4096, 11.4 with 8192, 11.8 with 16384
strips.prefetch_level = "second"        -- measured: pwtk 5.8 to 11.4 GFlop/s, cant 7.4 to 11.9, QCD as before
x_ahead = 128                           -- measured: strips FullChip 1.9 times as fast, half-empty 1.4; 96 to 256 are alike
strips.expand_with_table = "yes"        -- measured: QCD 11.5 to 17.9 GFlop/s, cant 12.1 to 14.9, but pwtk 9.9 to 9.3
cpu_flags = "sse4a clwb"                -- AMD's, since Zen 2
usable = '__builtin_cpu_is("amd")'      -- of whose CPUs those before Zen 4 have no AVX-512
rank = 4
host_candidate = true
