-- generic-opencl-32.lua: any OpenCL device whose subgroups have 32 work-items, and shuffles.

inherit "generic-opencl"
description = "any OpenCL device with subgroups of 32 work-items"
isa = "khr_subgroups"                   -- the shuffles of OpenCL 3.0's extensions
opencl_version = 300                    -- the shuffles need it
simd_width = 32                         -- Intel's GPUs, and AMD's RDNA by Mesa's rusticl
subgroups = true                        -- libspmv refuses subgroups of another size
rank = 1                                -- preferred: needs no local memory for exchange
