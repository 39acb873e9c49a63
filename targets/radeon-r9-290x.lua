-- radeon-r9-290x.lua: the AMD device of the CSR5 paper.

inherit "hawaii"
description = "AMD Radeon R9 290X, Hawaii"
source = "Liu & Vinter, CSR5, ICS 2015"
compiler_device = "gfx702"              -- LLVM's AMDGPU guide: Radeon R9 290X
compute_units = 44                      -- AMD's data sheet
csr5.f64.omega = 64                     -- CSR5 paper
-- <r, s, t, u> = <4, 7, 256, 4>
csr5.f64.sigma = 0                      -- CSR5 paper: by r, s, t and u
csr5.f64.r = 4                          -- CSR5 paper
csr5.f64.s = 7                          -- CSR5 paper
csr5.f64.t = 256                        -- CSR5 paper
csr5.f64.u = 4                          -- CSR5 paper
