-- hip-gfx90a.lua: AMD's MI200 by HIP instead of OpenCL, for vendoring. It shows that a language
-- needs only one table.

inherit "gfx90a"
description = "AMD Instinct MI200, CDNA 2, gfx90a, by HIP"
aliases = "hip"                         -- its language
backend = "hip"                         -- ROCm's own language
isa = ""                                -- HIP has shuffles
compiler = "amdgpu_hip"                 -- LLVM's AMDGPU guide lists these GPUs
