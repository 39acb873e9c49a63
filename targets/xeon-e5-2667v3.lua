-- xeon-e5-2667v3.lua: the CPU of the CSR5 paper (Haswell-EP, AVX2).

inherit "x86-64-v3"
description = "2x Intel Xeon E5-2667 v3, AVX2"
source = "Liu & Vinter, CSR5, ICS 2015"
cores = 2 * 8                           -- Intel's data sheet: 8 cores per socket
l3_cache = 20 * 1024 * 1024             -- Intel's data sheet: 20 MB per socket
device_memory = 64 * 1024 * 1024 * 1024 -- CSR5 paper, Table 1: 64 GB, of both sockets
bandwidth = 2 * 68300                   -- CSR5 paper, Table 1: 68.3 GB/s for each socket
csr5.f64.omega = 4                      -- CSR5 paper, 3.2: 256 bits; f32 derives 8 from simd_bits
csr5.f64.sigma = 16                     -- CSR5 paper, 3.2: fixed for CPUs
