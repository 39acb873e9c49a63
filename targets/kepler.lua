-- kepler.lua: common facts of NVIDIA's Kepler GPUs from sm_32 to sm_37.

abstract = true
backend = "cuda"
simd_width = 32                         -- CUDA C Programming Guide: a warp
subgroups = true                        -- CUDA C Programming Guide: since 3.0
isa = "warp_shuffles"                   -- CUDA 6.0 to 11 support these GPUs
load_bits = 128                         -- CUDA C Programming Guide, device memory accesses
compiler = "nvptx"                      -- nvcc 13 begins with sm_75
simds = 4                               -- NVIDIA's Kepler white paper: warp schedulers of an SMX
waves_per_simd = 16                     -- CUDA C Programming Guide, compute capability 3.x
work_groups = 16                        -- CUDA C Programming Guide, compute capability 3.x
registers = 512                         -- CUDA C Programming Guide: 65536 / (4 * 32 lanes)
register_step = 8                       -- CUDA's occupancy calculator: 256 for a warp
resident_work_items = 1024              -- chosen here: half an SMX, 64 registers each
work_group_size = 1024                  -- CUDA C Programming Guide, compute capability 3.x
rank = 2                                -- before generic-cuda
local_memory = 48 * 1024                -- CUDA C Programming Guide, 3.x: largest split with L1
