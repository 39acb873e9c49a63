-- tegra-k1.lua: the NVIDIA device of the speculative paper. CPU and GPU share DRAM, not caches.

inherit "kepler"
description = "NVIDIA Tegra K1, Kepler, sm_32"
source = "Liu & Vinter, Speculative Segmented Sum, Parallel Computing 2015"
match = "GK20A"                         -- the name that the CUDA driver reports
compute_capability = 32                 -- NVIDIA, list of CUDA GPUs
compiler_device = "sm_32"               -- LLVM's name of compute capability 3.2
compute_units = 1                       -- NVIDIA's white paper: one SMX
cores = 4                               -- NVIDIA's white paper: four Cortex-A15
host_bits = 32                          -- ARMv7, which only CUDA 6.0 and 6.5 support
memory = "unified"                      -- speculative paper, 3.4
cache_sharing = "separate"              -- speculative paper, 4.1
local_memory = 48 * 1024                -- speculative paper, Table 2
l2_cache = 128 * 1024                   -- speculative paper, Table 2: the GPU's
device_memory = 2 * 1024 * 1024 * 1024  -- speculative paper, Table 2: 2 GB
bandwidth = 14900                       -- speculative paper, Table 2: 14.9 GB/s
speculative.f32.T = 32                  -- speculative paper, 3.4, Table 1
speculative.f32.W = 8                   -- same
speculative.f32.B = 5                   -- same
speculative.f32.S = 7                   -- same
speculative.f64.T = 32                  -- same
speculative.f64.W = 4                   -- same
speculative.f64.B = 5                   -- same
speculative.f64.S = 7                   -- same
speculative.dirty_counter = "yes"       -- speculative paper, 3.2: its dirty counter
speculative.borders = "kernel"          -- speculative paper, 3.2: S + 1 searches a bunch
