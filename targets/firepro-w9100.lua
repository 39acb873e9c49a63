-- firepro-w9100.lua: the device of the CSR-Adaptive paper.

inherit "hawaii"
description = "AMD FirePro W9100, Hawaii"
source = "Daga & Greathouse, CSR-Adaptive, HiPC 2015"
compiler_device = "gfx701"              -- LLVM's AMDGPU guide: FirePro W9100
compute_units = 44                      -- CSR-Adaptive paper, Table III
l2_cache = 1024 * 1024                  -- CSR-Adaptive paper, Table III
bandwidth = 320000                      -- CSR-Adaptive paper, Table III: 320 GB/s
csr_adaptive.work_group_size = 256      -- CSR-Adaptive paper, IV: 256 work-items
csr_adaptive.f32.nnz_per_wg = 1024      -- CSR-Adaptive paper, Table I: NNZ_PER_WG
csr_adaptive.f64.nnz_per_wg = 1536      -- CSR-Adaptive paper, Table I: NNZ_PER_WG
csr_adaptive.f32.nnz_multiplier = 3     -- CSR-Adaptive paper, Table I: NNZ_multiplier
csr_adaptive.f64.nnz_multiplier = 2     -- CSR-Adaptive paper, Table I: NNZ_multiplier
-- The least rows of a row block for CSR-Stream: 2 and 3 by III-A2 and Figure 4. Table I prints 1
-- and 2, which would fit "more than".
csr_adaptive.f32.num_rows_stream = 2    -- CSR-Adaptive paper, III-A2 and Figure 4
csr_adaptive.f64.num_rows_stream = 3    -- CSR-Adaptive paper, III-A2 and Figure 4
csr_adaptive.long_row = 128             -- CSR-Adaptive paper, III-A1: a block ends between rows
csr_adaptive.short_row = 32             -- CSR-Adaptive paper, III-A1: of over 128 and under 32
-- One work-item adds a row if 256 work-items do not suffice for two a row.
csr_adaptive.scalar_rows = 129          -- CSR-Adaptive paper, III-A1 and Figure 3: 256 / 2 + 1
csr_vector.whole_group = "yes"          -- CSR-Adaptive paper, II-A: a workgroup for a row
