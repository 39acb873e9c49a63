-- sm_90.lua: NVIDIA H100 and H200, Hopper, sm_90.

inherit "nvidia"
description = "NVIDIA H100 and H200, Hopper, sm_90"
aliases = "hopper h100 h200 gh200"      -- NVIDIA, list of CUDA GPUs
match = "(sm_90)"                       -- libspmv appends it to the driver's name
compute_capability = 90                 -- NVIDIA, list of CUDA GPUs
compiler = "nvcc"                       -- it compiles for sm_75 and later
compiler_device = "sm_90"               -- NVIDIA's name of compute capability 9.0
waves_per_simd = 16                     -- CUDA C++ Programming Guide, compute capability 9.0
work_groups = 32                        -- same
local_memory = 228 * 1024               -- same: shared memory of a multiprocessor
csr5.f64.sigma = 12                     -- docs/experiments.md: measured
csr_adaptive.work_group_size = 128      -- same
csr_adaptive.nnz_per_wg = 1024          -- same
csr_adaptive.f32.resident_groups = 10   -- chosen here: 48 registers keep all loads under way
evc_hyb.sort_window = 16 * 1024         -- docs/experiments.md: measured
rank = 2
