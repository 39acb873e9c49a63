-- gfx942.lua: AMD Instinct MI300A, MI300X and MI325X (CDNA 3).

inherit "cdna"
description = "AMD Instinct MI300, CDNA 3, gfx942"
aliases = "cdna3 mi300 mi300a mi300x"   -- AMD, list of supported GPUs of ROCm
match = "gfx942"                        -- the name that ROCm's driver reports
compiler_device = "gfx942"              -- LLVM's AMDGPU guide
compute_units = 304                     -- AMD's data sheet: MI300X
l2_cache = 4 << 20                      -- AMD's CDNA 3 white paper: of each of its eight dies
