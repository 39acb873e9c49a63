-- gfx1100.lua: AMD Radeon RX 7900 and Pro W7900 (RDNA 3).

description = "AMD Radeon RX 7900, RDNA 3, gfx1100"
aliases = "rdna3 rx-7900"               -- AMD, list of supported GPUs of ROCm
backend = "opencl"
match = "gfx1100"                       -- the name that ROCm's driver reports
opencl_version = 200                    -- ROCm's OpenCL: subgroups are an extension of 2.0
simd_width = 32                         -- AMD's RDNA 3 instruction set guide: a wavefront of 32
isa = "amd_subgroups"                   -- no shuffles in AMD's OpenCL (ROCm issue 160)
subgroups = true                        -- ROCm lists cl_khr_subgroups (clinfo of an MI100)
compiler = "amdgpu"                     -- LLVM's AMDGPU guide lists this GPU
compiler_device = "gfx1100"             -- LLVM's AMDGPU guide
waves_per_simd = 16                     -- LLVM's AMDGPU backend, for gfx1100
simds = 4                               -- AMD's RDNA 3 guide: per WGP
registers = 1536                        -- LLVM's AMDGPU backend, for gfx1100 and wavefronts of 32
register_step = 24                      -- same
load_bits = 128                         -- AMD's RDNA 3 guide: global_load_b128
work_groups = 32                        -- same: of a WGP
work_group_size = 256                   -- ROCm's OpenCL: CL_DEVICE_MAX_WORK_GROUP_SIZE
compute_units = 96                      -- AMD's data sheet: RX 7900 XTX
local_memory = 64 * 1024                -- AMD's RDNA 3 guide: the most of one work-group
l2_cache = 6 << 20                      -- AMD's data sheet
memory = "discrete"                     -- a PCI Express card
cache_sharing = "separate"              -- same
rank = 2
