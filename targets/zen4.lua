-- zen4.lua: AMD's CPUs since Zen 4 (2022): as x86-64-v4, with what strips fetch ahead going to the second cache. On its
-- way to the first one a core waits for fewer lines.
--
-- Measured on two cores of an EPYC of Zen 4 (1 MB of L2 a core, 32 MB of L3), strips, f64, with that -> without; Zen 5 was
-- not at hand.

inherit "x86-64-v4"
description = "AMD since Zen 4: AVX-512, fetches into the second cache"
strips.fetch_ahead = 8192               -- measured: pwtk 9.3 GFlop/s with 4096, 12.8 with 8192, 12.9 with 16384
strips.runs_cache = 2                   -- measured: pwtk 5.8 -> 12.8 GFlop/s, cant 9.0 -> 12.7, QCD as before
strips.x_ahead = 128                    -- measured: FullChip 1.0 -> 2.0 GFlop/s, half-empty 1.3 -> 2.1; 64 to 256 are alike
strips.expand = "table"                 -- measured: QCD 11.5 -> 17.9 GFlop/s, cant 12.1 -> 14.9, mip1 9.1 -> 8.9
cpu_flags = "sse4a"                     -- which AMD's alone have
usable = '__builtin_cpu_is("amd")'
rank = 4
host_candidate = true
