-- generic-opencl.lua: any OpenCL device, also without subgroups, such as NVIDIA's.

description = "any OpenCL device"
aliases = "opencl"                      -- its language
backend = "opencl"
opencl_version = 120                    -- every driver supports it
simd_width = 32                         -- GPUs have 8 to 64; no result depends on it
subgroups = false                       -- OpenCL 1.2 has none
work_group_size = 256                   -- every GPU's driver allows it
local_memory = 32 * 1024                -- OpenCL 1.2: the least of a full profile
memory = "discrete"                     -- works everywhere
cache_sharing = "separate"              -- same
