-- gfx90a.lua: AMD Instinct MI210, MI250 and MI250X (CDNA 2).

inherit "cdna"
description = "AMD Instinct MI200, CDNA 2, gfx90a"
aliases = "cdna2 mi200 mi210 mi250 mi250x"  -- AMD, list of supported GPUs of ROCm
match = "gfx90a"                        -- the name that ROCm's driver reports
compiler_device = "gfx90a"              -- LLVM's AMDGPU guide
compute_units = 110                     -- AMD's data sheet: MI250X, of each of its two dies
l2_cache = 8 << 20                      -- AMD's CDNA 2 white paper: per die
