-- generic-cuda.lua: any NVIDIA GPU of compute capability 5.0 or later, with CUDA 9 or later.

inherit "nvidia"
description = "any NVIDIA GPU, sm_50 or later"
aliases = "cuda maxwell pascal volta p100 v100"  -- NVIDIA, list of CUDA GPUs
compute_capability = 50                 -- the least that CUDA 9 to 12 all support
local_memory = 48 * 1024                -- CUDA C++ Programming Guide: a block's, on every GPU
rank = 0
