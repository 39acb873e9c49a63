-- sm_86.lua: NVIDIA GPUs of the Ampere line, sm_86 (A10, A40, RTX 30).

inherit "nvidia"
description = "NVIDIA GPUs of the Ampere line, sm_86 (A10, A40, RTX 30)"
aliases = "a10 a40 rtx-3060 rtx-3070 rtx-3080 rtx-3090"  -- NVIDIA, list of CUDA GPUs
match = "(sm_86)"                       -- libspmv appends it to the driver's name
compute_capability = 86                 -- NVIDIA, list of CUDA GPUs
compiler = "nvcc"                       -- it compiles for sm_75 and later
compiler_device = "sm_86"               -- NVIDIA's name of compute capability 8.6
waves_per_simd = 12                     -- CUDA C++ Programming Guide, compute capability 8.6
work_groups = 16                        -- same
local_memory = 100 * 1024               -- same: shared memory of a multiprocessor
rank = 2
