-- gtx-980.lua: the NVIDIA device of the CSR5 paper (Maxwell).

description = "NVIDIA GeForce GTX 980, Maxwell, sm_52"
source = "Liu & Vinter, CSR5, ICS 2015"
backend = "cuda"
match = "GTX 980"                       -- the name that the CUDA driver reports
compute_capability = 52                 -- NVIDIA, list of CUDA GPUs
compute_units = 16                      -- NVIDIA's white paper: 16 SMM
simd_width = 32                         -- CUDA C Programming Guide: a warp
subgroups = true                        -- CUDA C Programming Guide: shuffles since compute capability 3.0
work_group_size = 1024                  -- CUDA C Programming Guide, compute capability 5.2
local_memory = 96 * 1024                -- CUDA C Programming Guide, compute capability 5.2: a multiprocessor
local_memory_max = 48 * 1024            -- CUDA C Programming Guide, compute capability 5.2: a block
memory = "discrete"                     -- a PCI Express card
cache_sharing = "separate"              -- a PCI Express card
csr5.f64.omega = 32                     -- CSR5 paper
-- <r, s, t, u> = <4, 32, 256, 4>. Sigma 32 needs more than one 32-bit descriptor word a lane.
csr5.f64.r = 4                          -- CSR5 paper
csr5.f64.s = 32                         -- CSR5 paper
csr5.f64.t = 256                        -- CSR5 paper
csr5.f64.u = 4                          -- CSR5 paper; the authors' program has 6
