-- pocl.lua: OpenCL on the CPU by PoCL, which runs everywhere: for tests, not for speed.

description = "PoCL: OpenCL on the CPU"
backend = "opencl"
match = "pthread|cpu-"                  -- PoCL's CPU device; "cpu-..." since PoCL 4
opencl_version = 120                    -- every release of PoCL supports it
simd_width = 8                          -- PoCL's preferred multiple with AVX-512
subgroups = false                       -- PoCL 3 has none
work_group_size = 4096                  -- PoCL's limit
memory = "svm"                          -- the device is the CPU
cache_sharing = "shared"                -- same
local_memory = 256 * 1024               -- part of a core's cache
rank = 1
