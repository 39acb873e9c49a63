-- radeon-r9-290x.lua: the AMD device of the CSR5 paper.

inherit "hawaii"
description = "AMD Radeon R9 290X, Hawaii"
source = "Liu & Vinter, CSR5, ICS 2015"
compiler_device = "gfx702"              -- LLVM's AMDGPU guide: Radeon R9 290X
compute_units = 44                      -- AMD's data sheet
device_memory = 4 * 1024 * 1024 * 1024  -- CSR5 paper, Table 1: 4 GB
bandwidth = 345600                      -- CSR5 paper, Table 1: 345.6 GB/s
csr5.f64.omega = 64                     -- CSR5 paper, 3.2
csr5.fast_track = "yes"                 -- CSR5 paper, 3.2: a plain sum for a tile in one row
