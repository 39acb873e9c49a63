-- intel-arc-a770.lua: Intel's Arc A-series cards (Xe-HPG). No f64: it is emulated.

description = "Intel Arc A770, Xe-HPG"
backend = "opencl"
match = "Arc"                           -- part of the name that the driver reports
compiler = "ocloc"                      -- Intel's own, of its OpenCL driver
compiler_device = "dg2"                 -- ocloc's list: Alchemist, the GPU of this card
opencl_version = 300                    -- Intel's driver
f64 = false                             -- Intel's Xe-HPG guide: no f64 units
simd_width = 16                         -- Intel's oneAPI guide: SIMD8, 16, 32; usually 16
load_bits = 128                         -- Intel's Xe-HPG guide: loads of four 32-bit values
isa = "khr_subgroups"                   -- Intel's driver; kernels ask for the size
subgroups = true                        -- so do all drivers of this GPU
speculative.W = 4                       -- with 8, ocloc spills at 16 work-items per thread
work_group_size = 1024                  -- the driver's CL_DEVICE_MAX_WORK_GROUP_SIZE
compute_units = 32                      -- Intel's data sheet: Xe cores
local_memory = 64 * 1024                -- Intel's oneAPI guide: the most of one work-group
l2_cache = 16 << 20                     -- Intel's data sheet
memory = "discrete"                     -- a PCI Express card
cache_sharing = "separate"              -- same
rank = 2
