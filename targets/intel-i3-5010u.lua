-- intel-i3-5010u.lua: Intel's device of the speculative paper. CPU and GPU share the L3 cache.

description = "Intel Core i3-5010U, HD Graphics 5500"
source = "Liu & Vinter, Speculative Segmented Sum, Parallel Computing 2015"
backend = "opencl"
match = "HD Graphics 5500"              -- the name that the driver reports
compiler = "ocloc"                      -- Intel's own, of its OpenCL driver
compiler_device = "bdw"                 -- ocloc's list: Broadwell
opencl_version = 200                    -- speculative paper, Table 2: OpenCL 2.0
f64 = false                             -- speculative paper, 3.4: its OpenCL has no f64
simd_width = 8                          -- speculative paper, Table 1: T, a thread-bunch
load_bits = 128                         -- Intel's Gen8 guide: reads of four 32-bit values
subgroups = false                       -- speculative paper, 3.2: local memory instead
compute_units = 3                       -- speculative paper, Table 2: 3 cores of the GPU
cores = 2                               -- Intel's data sheet
memory = "svm"                          -- speculative paper, 3.4
cache_sharing = "shared"                -- speculative paper, 4.1: one last-level cache
local_memory = 64 * 1024                -- speculative paper, Table 2; held in L3 (4.4)
l2_cache = 3 * 24 * 1024                -- speculative paper, Table 2: the GPU's, 24 kB a core
l3_cache = 3 * 1024 * 1024              -- speculative paper, Table 2: shared by CPU and GPU
device_memory = 8 * 1024 * 1024 * 1024  -- speculative paper, Table 2: 8 GB
bandwidth = 25600                       -- speculative paper, Table 2: 25.6 GB/s
speculative.f32.T = 8                   -- speculative paper, 3.4, Table 1
speculative.f32.W = 16                  -- same
speculative.f32.B = 4                   -- same
speculative.f32.S = 6                   -- same
speculative.dirty_counter = "yes"       -- speculative paper, 3.2: its dirty counter
speculative.borders = "kernel"          -- speculative paper, 3.2: S + 1 searches a bunch
