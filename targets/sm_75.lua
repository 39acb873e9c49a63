-- sm_75.lua: NVIDIA GPUs of the Turing line, sm_75 (T4, RTX 20).

inherit "nvidia"
description = "NVIDIA GPUs of the Turing line, sm_75 (T4, RTX 20)"
aliases = "turing t4"                   -- NVIDIA, list of CUDA GPUs
match = "(sm_75)"                       -- libspmv appends it to the driver's name
compute_capability = 75                 -- NVIDIA, list of CUDA GPUs
compiler = "nvcc"                       -- it compiles for sm_75 and later
compiler_device = "sm_75"               -- NVIDIA's name of compute capability 7.5
waves_per_simd = 8                      -- CUDA C++ Programming Guide, compute capability 7.5
work_groups = 16                        -- same
local_memory = 64 * 1024                -- same: shared memory of a multiprocessor
rank = 2
