-- nvidia.lua: common facts of NVIDIA's GPUs since Volta. Each work-item of a warp has a program
-- counter of its own, so shuffles take a mask of participants.

abstract = true
backend = "cuda"
simd_width = 32                         -- CUDA C++ Programming Guide: a warp
subgroups = true                        -- CUDA C++ Programming Guide: warp shuffle functions
work_group_size = 1024                  -- CUDA C++ Programming Guide, technical specifications
local_memory_max = 48 * 1024            -- CUDA C++ Programming Guide: declared arrays
load_bits = 128                         -- CUDA C++ Programming Guide, device memory accesses
simds = 4                               -- CUDA C++ Programming Guide: warp schedulers
registers = 512                         -- CUDA C++ Programming Guide: 65536 / (4 * 32 lanes)
register_step = 8                       -- CUDA's occupancy calculator: 256 for a warp
resident_work_items = 1024              -- chosen here: half or more, 64 registers each
csr5.f64.resident_groups = 5            -- chosen here: 96 registers hold what is under way
speculative.f64.W = 8                   -- chosen here: with 16, 64 registers do not suffice
speculative.S = 3                       -- chosen here: 3 million nonzeros fill 132 multiprocessors
evc_hyb.busy_items = 128 * 1024         -- chosen here: 1024 on each of 128 multiprocessors
evc_hyb.sort_window = 4096              -- chosen here: 32 KiB of x and y; few slices have padding
evc_hyb.work_group_size = 128           -- chosen here: shares of few rows differ less than with 256
memory = "discrete"                     -- memory of its own
cache_sharing = "separate"              -- same
rank = 1                                -- of heirs that state no rank: before generic-cuda
