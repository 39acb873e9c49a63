-- sm_80.lua: NVIDIA A100 and A30, Ampere, sm_80.

inherit "nvidia"
description = "NVIDIA A100 and A30, Ampere, sm_80"
aliases = "ampere a100 a30"             -- NVIDIA, list of CUDA GPUs
match = "(sm_80)"                       -- libspmv appends it to the driver's name
compute_capability = 80                 -- NVIDIA, list of CUDA GPUs
compiler = "nvcc"                       -- it compiles for sm_75 and later
compiler_device = "sm_80"               -- NVIDIA's name of compute capability 8.0
waves_per_simd = 16                     -- CUDA C++ Programming Guide, compute capability 8.0
work_groups = 32                        -- same
local_memory = 164 * 1024               -- same: shared memory of a multiprocessor
rank = 2
