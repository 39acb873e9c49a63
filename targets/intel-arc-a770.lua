-- intel-arc-a770.lua: Intel's Arc A-series cards (Xe-HPG). Their f64 is emulated, so it is left out.

description = "Intel Arc A770, Xe-HPG"
backend = "opencl"
match = "Arc"                           -- part of the name that the driver reports
compiler = "ocloc"                      -- Intel's own, of its OpenCL driver
compiler_device = "dg2"                 -- ocloc's list: Alchemist, of which this is one
opencl_version = 300                    -- Intel's driver
f64 = false                             -- Intel's Xe-HPG guide: no f64 units
simd_width = 16                         -- Intel's oneAPI optimisation guide: SIMD8, 16 and 32; 16 is usual
load_bits = 128                         -- Intel's Xe-HPG guide: untyped loads of up to four 32-bit values
isa = "khr_subgroups"                   -- Intel's driver lists both shuffles, and takes the size that a kernel asks for
subgroups = true                        -- so do all that know this GPU
speculative.W = 4                       -- of 8 products ocloc puts some into memory, with 16 work-items a thread
work_group_size = 1024                  -- the driver's CL_DEVICE_MAX_WORK_GROUP_SIZE
compute_units = 32                      -- Intel's data sheet: Xe cores
local_memory = 64 * 1024                -- Intel's oneAPI guide: what a work-group may have of an Xe core's SLM
l2_cache = 16 << 20                     -- Intel's data sheet
memory = "discrete"                     -- a PCI Express card
cache_sharing = "separate"              -- likewise
rank = 2
