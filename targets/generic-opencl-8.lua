-- generic-opencl-8.lua: any OpenCL device whose work-items run 8 in lock step.

inherit "generic-opencl"
description = "any OpenCL device, 8 work-items in lock step"
simd_width = 8                         -- Intel's GPUs run 8, 16 or 32 work-items in lock step
