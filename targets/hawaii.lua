-- hawaii.lua: common facts of AMD's cards with the Hawaii GPU (GCN, gfx701 and gfx702).

abstract = true
backend = "opencl"
match = "Hawaii"                        -- the name that the driver reports
opencl_version = 120                    -- CSR5 paper, Table 1; CSR-Adaptive paper, IV
simd_width = 64                         -- AMD's GCN white paper: a wavefront
compiler = "amdgpu"                     -- LLVM's AMDGPU guide lists these GPUs
waves_per_simd = 10                     -- AMD's GCN white paper
simds = 4                               -- AMD's GCN white paper
registers = 256                         -- AMD's GCN white paper: 64 KiB of them for 64 lanes
register_step = 4                       -- LLVM's AMDGPU backend, for gfx700 to gfx702
scalar_registers = 512                  -- LLVM's AMDGPU backend, for gfx700 to gfx702
scalar_register_step = 8                -- same
load_bits = 128                         -- LLVM's AMDGPU backend: flat_load_dwordx4
work_groups = 16                        -- LLVM's AMDGPU backend: if of several wavefronts
subgroups = false                       -- OpenCL 1.2 has none
work_group_size = 256                   -- AMD's OpenCL guide: the most work-items of a work-group
local_memory = 64 * 1024                -- CSR-Adaptive paper, Table III: LDS of a CU
local_memory_max = 32 * 1024            -- AMD's OpenCL guide: a work-group may take half of the LDS
memory = "discrete"                     -- a PCI Express card
cache_sharing = "separate"              -- a PCI Express card
-- <r, s, t, u> = <4, 7, 256, 4>: the paper's rule for GCN in f64, measured on a Radeon R9 290X.
csr5.f64.sigma = 0                      -- CSR5 paper, 3.2: by r, s, t and u
csr5.f64.r = 4                          -- same
csr5.f64.s = 7                          -- same
csr5.f64.t = 256                        -- same
csr5.f64.u = 4                          -- same
