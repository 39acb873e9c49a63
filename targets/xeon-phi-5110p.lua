-- xeon-phi-5110p.lua: the accelerator of the CSR5 paper (Knights Corner, 512-bit vectors).
--
-- No current compiler targets Knights Corner, so the kernels are plain C: vector words are loops.

description = "Intel Xeon Phi 5110P, Knights Corner, plain C"
source = "Liu & Vinter, CSR5, ICS 2015"
backend = "c"
isa = "scalar"                          -- no current compiler has its 512-bit instructions
simd_bits = 512                         -- Intel's data sheet
cores = 60                              -- Intel's data sheet
device_memory = 8 * 1024 * 1024 * 1024  -- CSR5 paper, Table 1: 8 GB
bandwidth = 320000                      -- CSR5 paper, Table 1: 320 GB/s
rank = 0
csr5.f64.omega = 8                      -- CSR5 paper, 3.2: 512 bits; f32 derives 16
csr5.f64.sigma = 12                     -- CSR5 paper, 3.2: fixed for Xeon Phi
