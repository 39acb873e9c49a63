-- sm_100.lua: NVIDIA B100 and B200, Blackwell, sm_100.

inherit "nvidia"
description = "NVIDIA B100 and B200, Blackwell, sm_100"
aliases = "blackwell b100 b200 gb200"   -- NVIDIA, list of CUDA GPUs
match = "(sm_100)"                      -- libspmv appends it to the driver's name
compute_capability = 100                -- NVIDIA, list of CUDA GPUs
compiler = "nvcc"                       -- it compiles for sm_75 and later
compiler_device = "sm_100"              -- NVIDIA's name of compute capability 10.0
waves_per_simd = 16                     -- CUDA C++ Programming Guide, compute capability 10.0
work_groups = 32                        -- same
local_memory = 228 * 1024               -- same: shared memory of a multiprocessor
rank = 2
