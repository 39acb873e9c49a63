-- sm_120.lua: NVIDIA GPUs of the Blackwell line, sm_120 (RTX 50).

inherit "nvidia"
description = "NVIDIA GPUs of the Blackwell line, sm_120 (RTX 50)"
aliases = "rtx-5060 rtx-5070 rtx-5080 rtx-5090"  -- NVIDIA, list of CUDA GPUs
match = "(sm_120)"                      -- libspmv appends it to the driver's name
compute_capability = 120                -- NVIDIA, list of CUDA GPUs
compiler = "nvcc"                       -- it compiles for sm_75 and later
compiler_device = "sm_120"              -- NVIDIA's name of compute capability 12.0
waves_per_simd = 12                     -- CUDA C++ Programming Guide, compute capability 12.0
work_groups = 24                        -- same
local_memory = 100 * 1024               -- same: shared memory of a multiprocessor
resident_work_items = 768               -- chosen here: half, 80 registers each
rank = 2
