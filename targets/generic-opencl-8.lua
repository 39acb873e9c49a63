-- generic-opencl-8.lua: any OpenCL device whose subgroups have 8 work-items, and shuffles.

inherit "generic-opencl"
description = "any OpenCL device with subgroups of 8 work-items"
isa = "khr_subgroups"                   -- the shuffles of OpenCL 3.0's extensions
opencl_version = 300                    -- the shuffles need it
simd_width = 8                          -- Intel's Gen7.5 to Gen12; PoCL takes any
subgroups = true                        -- libspmv refuses subgroups of another size
rank = 1                                -- preferred: needs no local memory for exchange
