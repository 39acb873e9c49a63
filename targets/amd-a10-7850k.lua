-- amd-a10-7850k.lua: the AMD device of the speculative paper. The GPU snoops the CPU's L2.

description = "AMD A10-7850K, GCN, 8 CU"
source = "Liu & Vinter, Speculative Segmented Sum, Parallel Computing 2015"
backend = "opencl"
match = "Spectre"                       -- the name that the driver reports
opencl_version = 200                    -- speculative paper: OpenCL 2.0
simd_width = 64                         -- AMD's GCN white paper: a wavefront
subgroups = false                       -- the paper's kernels use local memory instead
work_group_size = 256                   -- AMD's OpenCL guide: the most work-items of a work-group
compute_units = 8                       -- speculative paper
cores = 4                               -- AMD's data sheet
memory = "svm"                          -- speculative paper
cache_sharing = "snooped"               -- speculative paper: the GPU snoops the CPU's L2
local_memory = 64 * 1024                -- speculative paper: for each CU
local_memory_max = 32 * 1024            -- AMD's OpenCL guide: a work-group may take half of the LDS
speculative.f32.T = 64                  -- speculative paper, parameters of the experiments
speculative.f32.W = 16                  -- same
speculative.f32.B = 2                   -- same
speculative.f32.S = 2                   -- same
speculative.f64.T = 64                  -- same
speculative.f64.W = 8                   -- same
speculative.f64.B = 2                   -- same
speculative.f64.S = 5                   -- same
