-- generic-opencl-64.lua: any OpenCL device whose work-items run 64 in lock step.

inherit "generic-opencl"
description = "any OpenCL device, 64 work-items in lock step"
simd_width = 64                         -- AMD's GCN and CDNA GPUs run 64 work-items in lock step
