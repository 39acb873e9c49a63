-- kepler.lua: what NVIDIA's Kepler GPUs (sm_30 to sm_37) have in common.

abstract = true
backend = "cuda"
simd_width = 32                         -- CUDA C Programming Guide: a warp
subgroups = true                        -- CUDA C Programming Guide: shuffles since compute capability 3.0
work_group_size = 1024                  -- CUDA C Programming Guide, compute capability 3.x
local_memory = 48 * 1024                -- CUDA C Programming Guide, compute capability 3.x: the largest split with L1
