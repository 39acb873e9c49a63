-- zen2.lua: AMD's CPUs since Zen 2 (2019) that have no AVX-512: as x86-64-v3, with what zen4.lua says of fetching ahead.
--
-- Measured on Zen 4, with AVX2 alone; older ones were not at hand.

inherit "x86-64-v3"
description = "AMD since Zen 2: AVX2, fetches into the second cache"
strips.fetch_ahead = 8192               -- as zen4
strips.runs_cache = 2                   -- measured: pwtk 6.0 -> 13.8 GFlop/s, pdb1HYS 11.8 -> 15.7
strips.x_ahead = 128                    -- measured: FullChip 1.1 -> 2.2 GFlop/s, half-empty 1.7 -> 2.6
cpu_flags = "sse4a"                     -- which AMD's alone have
usable = '__builtin_cpu_is("amd")'
rank = 3
host_candidate = true
