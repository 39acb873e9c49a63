-- sm_89.lua: NVIDIA GPUs of the Ada line, sm_89 (L4, L40, RTX 40).

inherit "nvidia"
description = "NVIDIA GPUs of the Ada line, sm_89 (L4, L40, RTX 40)"
aliases = "ada l4 l40 rtx-4060 rtx-4070 rtx-4080 rtx-4090"  -- NVIDIA, list of CUDA GPUs
match = "(sm_89)"                       -- libspmv appends it to the driver's name
compute_capability = 89                 -- NVIDIA, list of CUDA GPUs
compiler = "nvcc"                       -- it compiles for sm_75 and later
compiler_device = "sm_89"               -- NVIDIA's name of compute capability 8.9
waves_per_simd = 12                     -- CUDA C++ Programming Guide, compute capability 8.9
work_groups = 24                        -- same
local_memory = 100 * 1024               -- same: shared memory of a multiprocessor
rank = 2
