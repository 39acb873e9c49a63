-- radeon-r9-290x.lua: the AMD device of the CSR5 paper.

inherit "hawaii"
description = "AMD Radeon R9 290X, Hawaii"
source = "Liu & Vinter, CSR5, ICS 2015"
compiler_device = "gfx702"              -- LLVM's AMDGPU guide: Radeon R9 290X
compute_units = 44                      -- AMD's data sheet
csr5.f64.omega = 64                     -- CSR5 paper
csr5.fast_track = "yes"                 -- CSR5 paper
